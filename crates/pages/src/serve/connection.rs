//! Connections, bounded in number, time and size. `server` accepts them.
//!
//! One rule covers slow requests, unread answers, idle connections and endless senders: on a live connection something
//! is written regularly, and little is read in between. So after each write, a connection may stay silent and send data
//! only up to its [`ConnectionLimits`]; event streams write more often.
//!
//! Who reads an answer slowly is written to, too, little by little. But such writes earn nothing: its slot counts as
//! silent until all that there is to send is sent.

use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::serve::Listener;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, Sleep};

use super::routes::KEEP_ALIVE;
use super::slots::{ConnectionSlot, ConnectionSlots};

/// The limits of connections.
#[derive(Clone, Copy, Debug)]
pub(super) struct ConnectionLimits {
    /// The maximum number at a time; [`ConnectionSlots`] decides which ones are closed beyond it.
    connections: usize,
    /// How long an answered connection may be without a write, if its slot is needed.
    idle_timeout: Duration,
    /// How long any connection may be without a write.
    silence: Duration,
    /// How much may be read between two writes: a request with its headers.
    request_bytes: usize,
}

impl ConnectionLimits {
    /// For a lecture hall.
    pub(super) const USUAL: Self = Self {
        connections: 256,
        // Streams of a run are written to more often.
        idle_timeout: KEEP_ALIVE.saturating_mul(2),
        silence: Duration::from_secs(15),
        request_bytes: 16 * 1024,
    };
}

/// The pause when the system accepts no more connections, for example for lack of descriptors.
const PAUSE: Duration = Duration::from_millis(200);

/// A listener with limited connections.
#[derive(Debug)]
pub(super) struct LimitedListener {
    listener: TcpListener,
    places: ConnectionSlots,
    bounds: ConnectionLimits,
}

impl LimitedListener {
    pub(super) fn new(listener: TcpListener, bounds: ConnectionLimits) -> Self {
        let places = ConnectionSlots::new(bounds.connections, bounds.idle_timeout);
        Self { listener, places, bounds }
    }
}

impl Listener for LimitedListener {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        loop {
            let Ok((stream, from)) = self.listener.accept().await else {
                tokio::time::sleep(PAUSE).await;
                continue;
            };
            let Some(place) = self.places.take() else {
                continue;
            };
            // Events are small and urgent; if this fails, they arrive later.
            drop(stream.set_nodelay(true));
            return (Connection::new(stream, place, self.bounds), from);
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// A connection.
#[derive(Debug)]
pub(super) struct Connection {
    stream: TcpStream,
    /// When it has been silent for too long.
    silent: Pin<Box<Sleep>>,
    /// The bytes read since the last write.
    read_bytes: usize,
    /// Whether the other side is too slow to take what there is to send.
    is_behind: bool,
    bounds: ConnectionLimits,
    place: ConnectionSlot,
}

impl Connection {
    fn new(stream: TcpStream, place: ConnectionSlot, bounds: ConnectionLimits) -> Self {
        Self {
            stream,
            silent: Box::pin(tokio::time::sleep(bounds.silence)),
            read_bytes: 0,
            is_behind: false,
            bounds,
            place,
        }
    }

    /// Fails if the connection has been silent for too long or lost its slot; otherwise registers for a wake-up.
    fn check_place(&mut self, context: &mut Context<'_>) -> io::Result<()> {
        if self.place.is_gone(context) {
            return Err(ErrorKind::ConnectionAborted.into());
        }
        match self.silent.as_mut().poll(context) {
            Poll::Ready(()) => Err(ErrorKind::TimedOut.into()),
            Poll::Pending => Ok(()),
        }
    }

    /// Notes the outcome of a write.
    fn spoken(&mut self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        match written {
            Poll::Pending => self.is_behind = true,
            Poll::Ready(Ok(1..)) => {
                self.read_bytes = 0;
                self.silent.as_mut().reset(Instant::now() + self.bounds.silence);
                if !self.is_behind {
                    self.place.answered();
                }
            }
            Poll::Ready(Ok(0) | Err(_)) => {}
        }
        written
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.check_place(context)?;
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        self.read_bytes += buffer.filled().len() - before;
        if self.read_bytes > self.bounds.request_bytes {
            return Poll::Ready(Err(ErrorKind::InvalidData.into()));
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Connection {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.check_place(context)?;
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.spoken(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.check_place(context)?;
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.spoken(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    /// Called when everything was written.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if std::mem::take(&mut self.is_behind) {
            self.place.answered();
        }
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::io::{Read, Write};
    use std::net::TcpStream as Client;

    use axum::Router;
    use axum::routing::get;

    use super::*;

    /// A server with these limits that answers `/` with `here`; it ends with the runtime.
    fn server(bounds: ConnectionLimits) -> (tokio::runtime::Runtime, SocketAddr) {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap();
        let routes = Router::new().route("/", get(async || "here"));
        runtime.spawn(async move { axum::serve(LimitedListener::new(listener, bounds), routes).await });
        (runtime, address)
    }

    fn client(address: SocketAddr) -> Client {
        let client = Client::connect(address).unwrap();
        client.set_read_timeout(Some(Duration::from_mins(10))).unwrap();
        client
    }

    /// Reads until the other side closes the connection in any way.
    fn rest(mut client: Client) -> String {
        let mut bytes = Vec::new();
        let ended = client.read_to_end(&mut bytes);
        let waited = ended.is_err_and(|error| error.kind() == ErrorKind::WouldBlock);
        assert!(!waited, "the connection is still open");
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// With this much silence allowed, one sends half a request and one all of it; returns what each is answered.
    fn answers_within(silence: Duration) -> [String; 2] {
        let (_runtime, address) = server(ConnectionLimits { silence, ..ConnectionLimits::USUAL });
        ["GET / HTTP/1.1\r\nHost:", "GET / HTTP/1.1\r\nHost: a\r\n\r\n"].map(|request| {
            let mut client = client(address);
            // On a busy machine the connection may be closed before the request is sent.
            drop(client.write_all(request.as_bytes()));
            rest(client)
        })
    }

    #[test]
    fn who_never_ends_a_request_is_not_waited_for() {
        let answered = (0..12).map(|doubled| Duration::from_millis(100 << doubled)).any(|silence| {
            let [slow, idle] = answers_within(silence);
            assert_eq!(slow, "");
            idle.ends_with("\r\n\r\nhere")
        });
        assert!(answered);
    }

    #[test]
    fn who_sends_without_end_is_not_listened_to() {
        let (_runtime, address) = server(ConnectionLimits::USUAL);
        let mut flood = client(address);
        let line = format!("X: {}\r\n", "x".repeat(1000));
        let sent = flood.write_all(format!("GET / HTTP/1.1\r\n{}", line.repeat(64)).as_bytes());
        assert!(sent.is_err() || !rest(flood).contains("here"));
    }

    /// The answer to an immediate request.
    fn answer(address: SocketAddr) -> String {
        let mut client = client(address);
        client.write_all(b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").unwrap();
        rest(client)
    }

    #[test]
    fn who_behaves_is_answered_however_many_are_slow() {
        let bounds = ConnectionLimits {
            connections: 8,
            idle_timeout: Duration::MAX,
            silence: Duration::from_hours(1),
            ..ConnectionLimits::USUAL
        };
        let (_runtime, address) = server(bounds);
        let mut follower = client(address);
        let ask = |client: &mut Client| {
            client.write_all(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n").unwrap();
            let mut answer = String::new();
            while !answer.ends_with("here") {
                let mut bytes = [0; 1024];
                let read = client.read(&mut bytes).unwrap();
                assert_ne!(read, 0, "closed after {answer:?}");
                answer.push_str(&String::from_utf8_lossy(&bytes[..read]));
            }
        };
        ask(&mut follower);
        let mut slow = Vec::new();
        for _ in 0..10 {
            for _ in 0..20 {
                let mut client = client(address);
                client.write_all(b"GET / HTTP/1.1\r\nHost:").unwrap();
                slow.push(client);
            }
            assert!(answer(address).ends_with("here"));
        }
        ask(&mut follower);
        assert_eq!(rest(slow.swap_remove(0)), "", "the first of the slow ones had to go");
    }

    /// Writes until the other side has to read before more can be sent.
    fn write_all_that_fits(connection: &mut Connection) {
        let mut context = Context::from_waker(std::task::Waker::noop());
        while Pin::new(&mut *connection).poll_write(&mut context, &vec![0; 1 << 16]).is_ready() {}
    }

    #[test]
    fn who_reads_an_answer_slowly_gives_way_before_who_was_answered_later() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let address = listener.local_addr().unwrap();
            let places = ConnectionSlots::new(2, Duration::ZERO);
            let connect = async || {
                let client = Client::connect(address).unwrap();
                let (stream, _) = listener.accept().await.unwrap();
                let place = places.take().unwrap();
                (client, Connection::new(stream, place, ConnectionLimits::USUAL))
            };
            let (mut slow_client, mut slow) = connect().await;
            poll_fn(|context| Pin::new(&mut slow).poll_write(context, b"here")).await.unwrap();
            write_all_that_fits(&mut slow);
            let (_client, mut answered) = connect().await;
            poll_fn(|context| Pin::new(&mut answered).poll_write(context, b"here")).await.unwrap();
            poll_fn(|context| Pin::new(&mut answered).poll_flush(context)).await.unwrap();
            // It reads some of what it was sent, and is sent more.
            let mut bytes = vec![0; 1 << 16];
            let mut more = std::pin::pin!(poll_fn(|context| Pin::new(&mut slow).poll_write(context, b"more")));
            while tokio::time::timeout(Duration::from_millis(1), &mut more).await.is_err() {
                slow_client.read_exact(&mut bytes).unwrap();
            }
            write_all_that_fits(&mut slow);
            let _newcomer = places.take().unwrap();
            let mut context = Context::from_waker(std::task::Waker::noop());
            let gone = [&mut slow, &mut answered].map(|connection| connection.place.is_gone(&mut context));
            assert_eq!(gone, [true, false]);
        });
    }
}
