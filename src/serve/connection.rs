//! Connections, bounded in number, time and size.
//!
//! One law covers a client that sends its request a byte an hour, one that never reads its answer, one that only holds the
//! line, and one that sends without end: to a connection that lives, something is written every now and then, and little
//! is read before. So each time something is written a connection may be silent anew for [`SILENCE`] and send
//! [`LARGEST_REQUEST_BYTES`]; streams of events speak oftener than that.

use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::serve::Listener;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep};

/// How many there are at a time; more are closed as soon as they come, so that nobody waits for what will not be.
pub(super) const MOST_CONNECTIONS: usize = 256;

/// How long nothing may be written to a connection.
pub(super) const SILENCE: Duration = Duration::from_secs(15);

/// How much may be read from a connection before something is written to it: a request with its headers.
pub(super) const LARGEST_REQUEST_BYTES: usize = 16 * 1024;

/// How long to wait where the system gives no more connections, for the lack of descriptors perhaps.
const PAUSE: Duration = Duration::from_millis(200);

/// A listener whose connections keep to the bounds.
#[derive(Debug)]
pub(super) struct Guarded {
    listener: TcpListener,
    places: Arc<Semaphore>,
}

impl Guarded {
    pub(super) fn new(listener: TcpListener) -> Self {
        let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
        Self { listener, places }
    }
}

impl Listener for Guarded {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        loop {
            let Ok((stream, from)) = self.listener.accept().await else {
                tokio::time::sleep(PAUSE).await;
                continue;
            };
            let Ok(place) = Arc::clone(&self.places).try_acquire_owned() else {
                continue;
            };
            // Events are small and have to be there at once; where that cannot be had, they come later.
            drop(stream.set_nodelay(true));
            return (Connection::new(stream, place), from);
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// One connection.
#[derive(Debug)]
pub(super) struct Connection {
    stream: TcpStream,
    /// When it has been silent for too long.
    silent: Pin<Box<Sleep>>,
    /// How much was read since something was written.
    read_bytes: usize,
    _place: OwnedSemaphorePermit,
}

impl Connection {
    fn new(stream: TcpStream, place: OwnedSemaphorePermit) -> Self {
        Self {
            stream,
            silent: Box::pin(tokio::time::sleep(SILENCE)),
            read_bytes: 0,
            _place: place,
        }
    }

    /// Whoever waits is woken when the connection has been silent for too long.
    fn check_silence(&mut self, context: &mut Context<'_>) -> io::Result<()> {
        match self.silent.as_mut().poll(context) {
            Poll::Ready(()) => Err(ErrorKind::TimedOut.into()),
            Poll::Pending => Ok(()),
        }
    }

    fn spoken(&mut self, written_bytes: usize) {
        if written_bytes > 0 {
            self.read_bytes = 0;
            self.silent.as_mut().reset(Instant::now() + SILENCE);
        }
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.check_silence(context)?;
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        self.read_bytes += buffer.filled().len() - before;
        if self.read_bytes > LARGEST_REQUEST_BYTES {
            return Poll::Ready(Err(ErrorKind::InvalidData.into()));
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Connection {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.check_silence(context)?;
        let written = ready!(Pin::new(&mut self.stream).poll_write(context, bytes))?;
        self.spoken(written);
        Poll::Ready(Ok(written))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.check_silence(context)?;
        let written = ready!(Pin::new(&mut self.stream).poll_write_vectored(context, parts))?;
        self.spoken(written);
        Poll::Ready(Ok(written))
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
