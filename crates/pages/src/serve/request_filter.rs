//! Checks every request, and sets security headers on every answer. `server` puts it before all routes.
//!
//! The attackers are other pages in the same browser, which can send requests here and point a name of theirs to this
//! address (DNS rebinding), and other users of the machine or network, who can send anything.

use std::net::IpAddr;

use axum::extract::{Request, State};
use axum::http::header::{
    ALLOW, CACHE_CONTROL, CONNECTION, CONTENT_SECURITY_POLICY, HOST, HeaderName, HeaderValue, ORIGIN, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// What requests may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestPolicy {
    /// Only read.
    Look,
    /// Read, and `POST` from a page of this server.
    LookAndAct,
}

/// Decides which requests may pass.
#[derive(Clone, Copy, Debug)]
pub(super) struct RequestFilter {
    own: IpAddr,
    conduct: RequestPolicy,
}

/// The default policy of an answer: nothing is allowed.
const NOTHING: HeaderValue =
    HeaderValue::from_static("default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");

/// The headers of every answer.
const ALWAYS: [(HeaderName, HeaderValue); 7] = [
    // An answered connection frees its slot.
    (CONNECTION, HeaderValue::from_static("close")),
    (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (CACHE_CONTROL, HeaderValue::from_static("no-store")),
    (X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
    (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
];

/// Passes `request` on, or answers with a refusal.
pub(super) async fn pass(State(request_filter): State<RequestFilter>, request: Request, next: Next) -> Response {
    let mut response = match request_filter.check(request.method(), request.uri(), request.headers()) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    let headers = response.headers_mut();
    headers.extend(ALWAYS);
    headers.entry(CONTENT_SECURITY_POLICY).or_insert(NOTHING);
    response
}

/// Why a request is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GateRefusal {
    /// It is for another host.
    Misdirected,
    /// Its method is not allowed.
    Method(RequestPolicy),
    /// It is a `POST` from another site.
    Foreign,
}

impl IntoResponse for GateRefusal {
    fn into_response(self) -> Response {
        match self {
            Self::Misdirected => (
                StatusCode::MISDIRECTED_REQUEST,
                "this server must be requested by its address, such as http://127.0.0.1:8000/, not by a name\n",
            )
                .into_response(),
            Self::Method(conduct) => {
                let allowed = HeaderValue::from_static(match conduct {
                    RequestPolicy::Look => "GET, HEAD",
                    RequestPolicy::LookAndAct => "GET, HEAD, POST",
                });
                (StatusCode::METHOD_NOT_ALLOWED, [(ALLOW, allowed)]).into_response()
            }
            Self::Foreign => (StatusCode::FORBIDDEN, "only a page of this server can do this\n").into_response(),
        }
    }
}

impl RequestFilter {
    pub(super) const fn new(own: IpAddr, conduct: RequestPolicy) -> Self {
        Self { own, conduct }
    }

    fn check(self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Result<(), GateRefusal> {
        let host = only(headers, HOST).ok_or(GateRefusal::Misdirected)?;
        let named_in_target = uri.authority().map(Authority::as_str);
        if !self.is_own(host) || named_in_target.is_some_and(|name| name != host) {
            return Err(GateRefusal::Misdirected);
        }
        match (method, self.conduct) {
            (&Method::GET | &Method::HEAD, _) => Ok(()),
            // A browser states the origin of a `POST`, and no page can forge it.
            (&Method::POST, RequestPolicy::LookAndAct) => match only(headers, ORIGIN) {
                Some(origin) if origin.strip_prefix("http://") == Some(host) => Ok(()),
                Some(_) | None => Err(GateRefusal::Foreign),
            },
            (_, conduct) => Err(GateRefusal::Method(conduct)),
        }
    }

    /// Whether `host`, as named in a request, is this server and not a name that somebody pointed here.
    ///
    /// The port is ignored: behind a tunnel it differs, and a page on another port is another site for the browser.
    fn is_own(self, host: &str) -> bool {
        let name = match host.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|digit| digit.is_ascii_digit()) => name,
            Some(_) | None => host,
        };
        // Such a server listens on loopback. Browsers resolve this name themselves, so nobody can rebind it.
        if (self.own.is_loopback() || self.own.is_unspecified()) && name.eq_ignore_ascii_case("localhost") {
            return true;
        }
        let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
        let Ok(address) = bare.unwrap_or(name).parse::<IpAddr>() else {
            return false;
        };
        // A server on all addresses cannot know its own names; but numeric addresses cannot be rebound.
        self.own.is_unspecified() || address == self.own || (self.own.is_loopback() && address.is_loopback())
    }
}

/// The only value of a header; `None` if there is none, more than one, or no valid text.
fn only(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next().filter(|_| values.next().is_none())?;
    value.to_str().ok()
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, Ipv6Addr};

    use super::*;

    #[test]
    fn a_server_is_called_by_its_address() {
        let loopback = IpAddr::V4(Ipv4Addr::LOCALHOST);
        let loopback6 = IpAddr::V6(Ipv6Addr::LOCALHOST);
        let lan: IpAddr = "192.168.1.5".parse().unwrap();
        let everywhere = IpAddr::V4(Ipv4Addr::UNSPECIFIED);
        let cases = [
            (loopback, "127.0.0.1:8000", true),
            (loopback, "127.0.0.1", true),
            (loopback, "localhost:9000", true),
            (loopback, "LocalHost", true),
            (loopback, "[::1]:8000", true),
            (loopback6, "[::1]:8000", true),
            (loopback6, "[::1]", true),
            (loopback, "192.168.1.5:8000", false),
            (loopback, "evil.example:8000", false),
            (loopback, "127.0.0.1.evil.example:8000", false),
            (loopback, "localhost.evil.example", false),
            (loopback, "localhost:80@evil.example", false),
            (loopback, "", false),
            (loopback, "2130706433", false),
            (lan, "192.168.1.5:8000", true),
            (lan, "192.168.1.6:8000", false),
            (lan, "localhost:8000", false),
            (everywhere, "10.0.0.1:8000", true),
            (everywhere, "127.0.0.1:8000", true),
            (everywhere, "[::1]:8000", true),
            (everywhere, "localhost:8000", true),
            (everywhere, "evil.example:8000", false),
            (everywhere, "localhost.evil.example:8000", false),
            (everywhere, "host.docker.internal:8000", false),
        ];
        for (own, host, passes) in cases {
            let request_filter = RequestFilter::new(own, RequestPolicy::Look);
            assert_eq!(request_filter.is_own(host), passes, "`{host}` at {own}");
        }
    }

    #[test]
    fn who_acts_comes_from_here() {
        let own = IpAddr::V4(Ipv4Addr::LOCALHOST);
        for (method, origin, expected) in [
            (Method::POST, Some("http://127.0.0.1:1"), Ok(())),
            (Method::POST, Some("http://127.0.0.1:2"), Err(GateRefusal::Foreign)),
            (Method::POST, Some("https://127.0.0.1:1"), Err(GateRefusal::Foreign)),
            (Method::POST, Some("http://evil.example"), Err(GateRefusal::Foreign)),
            (Method::POST, Some("null"), Err(GateRefusal::Foreign)),
            (Method::POST, None, Err(GateRefusal::Foreign)),
            (Method::PUT, None, Err(GateRefusal::Method(RequestPolicy::LookAndAct))),
            (Method::CONNECT, None, Err(GateRefusal::Method(RequestPolicy::LookAndAct))),
        ] {
            let named = [(HOST, "127.0.0.1:1")].into_iter().chain(origin.map(|origin| (ORIGIN, origin)));
            let headers = named.map(|(name, value)| (name, HeaderValue::from_static(value))).collect();
            let filter = RequestFilter::new(own, RequestPolicy::LookAndAct);
            assert_eq!(filter.check(&method, &Uri::from_static("/"), &headers), expected, "{method} {origin:?}");
        }
    }
}
