
// ---- Boards ----

/** Squares and labels of the empty board; pieces come and go in a layer above. */
function drawBoard(svg) {
  const { surface, size, columns, rows, squares, camps } = referee.view.board;
  svg.setAttribute("viewBox", `-0.7 0 ${size + 0.7} ${size + 0.7}`);
  svg.dataset.surface = surface;
  svg.style.setProperty("--coordinate", `${size > 12 ? 0.48 : size > 8 ? 0.4 : 0.3}px`);
  const kind = (square) => {
    const camp = camps && SIDES.find((side) => camps[side].includes(square));
    if (camp) return `plain camp-${camp}`;
    if (surface !== "chequered") return "plain";
    return (Math.floor(square / size) + (square % size)) % 2 === 0 ? "light" : "dark";
  };
  svg.append(
    ...squares.map((square, index) =>
      drawn("rect", { class: `square ${kind(index)}`, x: index % size, y: Math.floor(index / size), width: 1, height: 1, "data-square": square, "data-piece": "." })),
    ...(surface === "points" ? lattice(size) : []),
    ...columns.map((label, at) => drawn("text", { class: "coordinate", x: at + 0.5, y: size + 0.5 }, label)),
    ...rows.map((label, at) => drawn("text", { class: "coordinate", x: -0.35, y: at + 0.63 }, label)),
    drawn("g", { class: "pieces" }));
}

/** The lines of a board whose pieces stand where lines cross. */
function lattice(size) {
  const [first, last] = [0.5, size - 0.5];
  return Array.from({ length: size }, (_, at) => at + 0.5).flatMap((at) => [
    drawn("line", { class: "lattice", x1: first, y1: at, x2: last, y2: at }),
    drawn("line", { class: "lattice", x1: at, y1: first, x2: at, y2: last })]);
}

function placePieces(svg, { cells, changed }, marked) {
  const { size } = referee.view.board;
  const marks = [];
  const pieces = [];
  svg.querySelectorAll(".square").forEach((square, index) => {
    square.dataset.piece = cells[index];
    const [x, y] = [index % size, Math.floor(index / size)];
    if (marked && changed.includes(index)) marks.push(drawn("rect", { class: cells[index] === "." ? "changed left" : "changed", x: x + 0.03, y: y + 0.03, width: 0.94, height: 0.94, rx: 0.06 }));
    if (cells[index] !== ".") pieces.push(piece(cells[index], x + 0.5, y + 0.5));
  });
  svg.querySelector(".pieces").replaceChildren(...marks, ...pieces);
}

/** A piece: its letter says what it is, a number behind it how many stand there. */
function piece(cell, x, y) {
  const { side, shape, letter } = referee.view.board.pieces[cell[0]];
  const count = Number(cell.slice(1) || 1);
  const figure = shape.figure
    ? [drawn("path", { class: `figure ${side}`, d: shape.figure, transform: `translate(${x} ${y - 0.09}) scale(0.2)` }),
      drawn("text", { class: `letter ${side}`, x, y: y + 0.31 }, letter)]
    : [];
  const body = shape === "star"
    ? drawn("path", { class: `piece ${side}`, d: star(x, y) })
    : drawn("circle", { class: `piece ${side}`, cx: x, cy: y, r: shape === "stone" || shape.figure ? 0.45 : 0.39 });
  const rim = shape === "disk" || shape === "king" ? drawn("circle", { class: `rim ${side}`, cx: x, cy: y, r: 0.29 }) : null;
  const crown = shape === "king"
    ? drawn("path", { class: "crown", d: `M${x - 0.22} ${y + 0.16}L${x - 0.24} ${y - 0.13}L${x - 0.1} ${y}L${x} ${y - 0.19}L${x + 0.1} ${y}L${x + 0.24} ${y - 0.13}L${x + 0.22} ${y + 0.16}Z` })
    : null;
  const height = count > 1 ? drawn("text", { class: `count ${side}`, x, y: y + 0.15 }, String(count)) : null;
  return drawn("g", {}, body, rim, crown, ...figure, height);
}

/** A star of five points around a place. */
function star(x, y) {
  const points = Array.from({ length: 10 }, (_, at) => {
    const [angle, radius] = [(Math.PI * at) / 5 - Math.PI / 2, at % 2 === 0 ? 0.47 : 0.24];
    return `${(x + radius * Math.cos(angle)).toFixed(3)} ${(y + 0.03 + radius * Math.sin(angle)).toFixed(3)}`;
  });
  return `M${points.join("L")}Z`;
}

/** A board in words, for those who do not see it: each side's pieces and where they stand. */
function boardWords({ cells }) {
  const { pieces, sides, squares } = referee.view.board;
  const word = (cell) => {
    const named = pieces[cell[0]].word;
    return `${named ? `${named} ` : ""}${cell.length > 1 ? `${cell.slice(1)} on ` : ""}`;
  };
  const places = (side) => cells.flatMap((cell, at) => (cell !== "." && pieces[cell[0]].side === side ? [`${word(cell)}${squares[at]}`] : []));
  return SIDES.map((side) => `${sides[side]}: ${places(side).join(", ") || "nothing"}`).join("; ");
}
