"""A campus system with LTI 1.3 for the tests: `lti1p3platform` behind a small HTTP server.

platform.py TOOL_ADDRESS: prints its own address. `/control` sets people and mistakes, `/new-key` makes
a key for the tool, `/scores` lists the marks that it received.
"""

import base64
import hashlib
import hmac
import html
import json
import sys
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from lti1p3platform.ltiplatform import LTI1P3PlatformConfAbstract
from lti1p3platform.membership import Context
from lti1p3platform.message_launch import LTIAdvantageMessageLaunchAbstract
from lti1p3platform.oidc_login import OIDCLoginAbstract
from lti1p3platform.registration import Registration
from lti1p3platform.request import Request
from lti1p3platform.score import UpdateScoreStatus
from lti1p3platform.service_connector import (
    AssignmentsGradesService,
    NamesRoleProvisioningService,
)

TOOL = sys.argv[1]
ROLE = "http://purl.imsglobal.org/vocab/lis/v2/membership"
CLAIM = "https://purl.imsglobal.org/spec/lti/claim/"
CONTEXT = "7"


def new_key():
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


def private_pem(key):
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.TraditionalOpenSSL,
        serialization.NoEncryption(),
    ).decode()


def public_pem(key):
    return (
        key.public_key()
        .public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        )
        .decode()
    )


KEY, OTHER_KEY = new_key(), new_key()


class State:
    """What the tests can set, and what the tool sent."""

    people = {}
    tool_keys = {"keys": []}
    mode = ""
    scores = []
    base = ""


class Platform(LTI1P3PlatformConfAbstract):
    def init_platform_config(self, **kwargs):
        self._registration = (
            Registration()
            .set_iss(State.base)
            .set_client_id("judge")
            .set_deployment_id("1")
            .set_launch_url(TOOL + "/lti/launch")
            .set_oidc_login_url(TOOL + "/lti/login")
            .set_tool_key_set(State.tool_keys)
            .set_platform_public_key(public_pem(KEY))
            .set_platform_private_key(private_pem(KEY))
        )

    def get_registration_by_params(self, **kwargs):
        return self._registration


class Asked(Request):
    def build_metadata(self, request):
        return request


class Login(OIDCLoginAbstract):
    def set_lti_message_hint(self, **kwargs):
        self._lti_message_hint = kwargs["hint"]

    def get_redirect(self, url):
        return url


class Launch(LTIAdvantageMessageLaunchAbstract):
    def prepare_launch(self, preflight_response):
        subject = preflight_response["login_hint"]
        hint = json.loads(preflight_response["lti_message_hint"])
        person = State.people[subject]
        context = hint.get("context", CONTEXT)
        self.set_user_data(
            subject, [ROLE + role for role in person["roles"]], person.get("name"), person.get("email")
        )
        self.set_launch_url(TOOL + hint["target"])
        self.set_resource_link_claim(hint["target"])
        self.set_launch_context_claim(context, context_title="Programs that play")
        self.set_ags(State.base + "/lineitems", State.base + "/lineitems/1/lineitem?type_id=3")
        self.set_nrps(State.base + "/members")
        if "number" in person:
            self.set_extra_claims({CLAIM + "lis": {"person_sourcedid": person["number"]}})
        if State.mode == "foreign-services":
            elsewhere = "http://127.0.0.1:1"
            self.set_ags(elsewhere + "/lineitems", elsewhere + "/lineitems/1/lineitem")
            self.set_nrps(elsewhere + "/members")

    def render_launch_form(self, launch_data, **kwargs):
        token = changed(launch_data["id_token"])
        fields = {"id_token": token, "state": launch_data["state"]}
        inputs = "".join(
            f'<input type="hidden" name="{name}" value="{html.escape(value)}">'
            for name, value in fields.items()
        )
        return (
            f'<form method="post" action="{launch_data["launch_url"]}">{inputs}'
            "<button>Go on</button></form><script>document.forms[0].submit()</script>"
        )


def encoded(value):
    raw = value if isinstance(value, bytes) else json.dumps(value).encode()
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def changed(token):
    """The token with the mistake that the test has set."""
    claims = jwt.decode(token, options={"verify_signature": False})
    head, now = jwt.get_unverified_header(token), int(time.time())
    changes = {
        "audience": {"aud": "another"},
        "two-audiences": {"aud": ["judge", "another"]},
        "party": {"azp": "another"},
        "issuer": {"iss": "https://evil.example"},
        "nonce": {"nonce": "another"},
        "deployment": {CLAIM + "deployment_id": "2"},
        "version": {CLAIM + "version": "1.1"},
        "deep-link": {CLAIM + "message_type": "LtiDeepLinkingRequest"},
        "old": {"iat": now - 3600, "exp": now + 3600},
        "expired": {"iat": now - 60, "exp": now - 10},
        "subject": {"sub": ""},
        "long": {"name": "x" * 5000},
    }
    if State.mode in changes:
        return jwt.encode({**claims, **changes[State.mode]}, private_pem(KEY), "RS256", head)
    if State.mode == "other-key":
        return jwt.encode(claims, private_pem(OTHER_KEY), "RS256", head)
    text = {"alg": "HS256", **{k: v for k, v in head.items() if k != "alg"}}
    if State.mode == "shared-secret":
        signed = encoded(text) + "." + encoded(claims)
        mac = hmac.new(public_pem(KEY).encode(), signed.encode(), hashlib.sha256).digest()
        return signed + "." + encoded(mac)
    if State.mode == "unsigned":
        return encoded({"alg": "none", "typ": "JWT"}) + "." + encoded(claims) + "."
    return token


class Members(NamesRoleProvisioningService):
    def get_context_by_id(self):
        return Context(CONTEXT, "AI", "Programs that play")

    def get_member_data_page(self, page=1, limit=None, role=None, since=None):
        # Two on a page, so that the tool has to follow the links.
        people, page = list(State.people.items()), int(page)
        content = [
            {
                "user_id": subject,
                "roles": [ROLE + role for role in person["roles"]],
                "status": person.get("status", "Active"),
                **{name: person[name] for name in ("name", "email") if name in person},
                **({"lis_person_sourcedid": person["number"]} if "number" in person else {}),
            }
            for subject, person in people[2 * page - 2 : 2 * page]
        ]
        return {"content": content, "has_next": 2 * page < len(people)}


class Grades(AssignmentsGradesService):
    def update_score(self, line_item_id, score):
        if State.mode == "no-marks" or score["userId"] == State.mode:
            raise ValueError("refused")
        State.scores.append({"line_item": line_item_id, **score})
        return UpdateScoreStatus.SUCCESS

    def find_lineitems(self, **kwargs):
        raise NotImplementedError

    find_lineitem = create_lineitem = update_lineitem = delete_lineitem = find_lineitems
    get_results = find_lineitems


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *args):
        pass

    def answer(self, body, status=200, kind="application/json", **headers):
        raw = body.encode() if isinstance(body, str) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(raw)))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(raw)

    def do_GET(self):
        self.handle_one({})

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        if "json" in self.headers.get("Content-Type", ""):
            self.handle_one({"json": json.loads(body)})
        else:
            self.handle_one({"form_data": dict(urllib.parse.parse_qsl(body))})

    def handle_one(self, body):
        url = urllib.parse.urlparse(self.path)
        query = dict(urllib.parse.parse_qsl(url.query))
        if "page" in query:
            query["page"] = int(query["page"])
        empty = {"form_data": {}, "json": None}
        asked = {
            **empty,
            "method": self.command,
            "get_data": query,
            "headers": self.headers,
            "path": url.path,
            **body,
        }
        platform = Platform()
        try:
            self.route(url.path, query, asked, platform)
        except (ValueError, KeyError, AssertionError, jwt.PyJWTError) as error:
            self.answer({"error": str(error)}, 400)
        except Exception as error:  # noqa: BLE001, the library has many kinds
            self.answer({"error": repr(error)}, 401)

    def route(self, path, query, asked, platform):
        if path == "/control":
            for name, value in asked["json"].items():
                setattr(State, name, value)
            self.answer({})
        elif path == "/new-key":
            self.answer(private_pem(new_key()), kind="text/plain")
        elif path == "/scores":
            self.answer(State.scores)
        elif path == "/open":
            login = Login(Asked(asked), platform)
            login.set_lti_message_hint(hint=json.dumps(query))
            login.set_launch_url(TOOL + query["target"])
            self.answer("", 302, Location=login.initiate_login(query["user"]))
        elif path == "/auth":
            self.answer(Launch(Asked(asked), platform).lti_launch(), kind="text/html")
        elif path == "/certs":
            self.answer(platform.get_jwks())
        elif path == "/token":
            form = asked["form_data"]
            claims = jwt.decode(form["client_assertion"], options={"verify_signature": False})
            assert claims["aud"] == State.base + "/token" and claims["iss"] == "judge"
            assert claims["exp"] - claims["iat"] <= 600 and claims["jti"]
            self.answer(platform.get_access_token(form))
        elif path == "/members":
            page = int(query.get("page", 1)) + 1
            service = Members(Asked(asked), platform, State.base + "/members")
            answer = service.handle_resp(service.handle_get_members)
            result = answer.result or {}
            headers = {}
            if "next" in result:
                headers["Link"] = f'<{State.base}/members?limit=2&page={page}>; rel="next"'
            self.answer(result, answer.code, **headers)
        elif path == "/lineitems/1/lineitem/scores":
            service = Grades(Asked(asked), platform, State.base + "/lineitems")
            answer = service.handle_resp(service.handle_update_score, line_item_id=query["type_id"])
            self.answer(answer.result or {}, answer.code)
        else:
            self.answer({"error": "no such page"}, 404)


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
State.base = f"http://127.0.0.1:{server.server_port}"
print(State.base, flush=True)
server.serve_forever()
