//! Reaching anybody through a socket.

use std::io::ErrorKind;
use std::net::TcpListener;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener};

use referee_seat::Isolation;

use crate::attack_game::{AttackGame, unique};
use crate::levels::levels;

#[test]
fn no_socket_can_be_made_but_a_pair() {
    for level in levels().iter().filter(|level| **level >= Isolation::Confined) {
        let Some(mut game) = AttackGame::new(*level, &["sockets"]) else {
            return;
        };
        assert_eq!(game.successful(), ["pair"], "{level}");
        game.end();
    }
}

#[test]
fn no_listener_can_be_reached() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("socket");
    let name = format!("referee-test-{}-{}", std::process::id(), unique());
    let port = TcpListener::bind("127.0.0.1:0").unwrap();
    let by_path = UnixListener::bind(&path).unwrap();
    let by_name = UnixListener::bind_addr(&SocketAddr::from_abstract_name(&name).unwrap()).unwrap();
    port.set_nonblocking(true).unwrap();
    by_path.set_nonblocking(true).unwrap();
    by_name.set_nonblocking(true).unwrap();
    let number = port.local_addr().unwrap().port().to_string();
    for level in levels().iter().filter(|level| **level >= Isolation::Confined) {
        let words = ["connect", &number, path.to_str().unwrap(), &name];
        let Some(mut game) = AttackGame::new(*level, &words) else {
            return;
        };
        assert_eq!(game.successful(), [""; 0], "{level}");
        let callers = [
            port.accept().err().map(|error| error.kind()),
            by_path.accept().err().map(|error| error.kind()),
            by_name.accept().err().map(|error| error.kind()),
        ];
        assert_eq!(callers, [Some(ErrorKind::WouldBlock); 3], "{level}");
        game.end();
    }
}
