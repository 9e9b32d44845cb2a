//! Running a program without a seat, in a folder that has in it what a working directory would.

use std::path::Path;
use std::process::Command;

use referee_seat::Program;

/// The program as it is started in `folder`, with the files of its submission there.
pub(crate) fn directly(program: &Program, folder: &Path) -> Command {
    if let Some(template) = &program.template {
        let mut copy = Command::new("cp");
        let copied = copy.arg("-rT").arg(template).arg(folder).status();
        assert!(copied.expect("`cp` runs").success());
    }
    let mut command = Command::new(&program.command[0]);
    command.args(&program.command[1..]).current_dir(folder);
    command
}
