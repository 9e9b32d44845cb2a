//! `referee slurm`, with the real binary and a real Slurm of four virtual nodes, which the tests start themselves.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

#[path = "slurm/cluster.rs"]
mod cluster;

use cluster::Cluster;

#[test]
fn a_cluster_comes_and_goes() {
    let Some(mut cluster) = Cluster::start() else { return };
    let out = cluster.slurm("sbatch", &["--array=0-7", "--output=/dev/null", "--chdir=/tmp", "--wrap=sleep 600"]);
    println!("{out}");
    cluster.until("8", |cluster| cluster.slurm("squeue", &["-h", "-t", "R", "-r"]).lines().count() == 8);
    for p in cluster.processes() {
        println!("{:?} {:?}", p.variable("SLURMD_NODENAME"), p.variable("SLURM_ARRAY_TASK_ID"));
    }
    println!("{}", std::process::Command::new("ps").args(["axo", "pid,ppid,args"]).output().map(|o| String::from_utf8_lossy(&o.stdout).lines().filter(|l| l.contains("slurm")).collect::<Vec<_>>().join("\n")).unwrap());
    cluster.kill_daemons_of("n2");
    println!("{}", cluster.known());
}
