"""JupyterHub for a class on one machine: a container of the course for each user.

Needs Docker and the image of docker/hub/Dockerfile. The environment says what
differs from place to place:

MARGINALIA_USERS    a file with the names of those who may enter, one per line; a *
                    after a name makes it a teacher's, who sees everybody's servers,
                    starts and stops them, and cannot look into them
MARGINALIA_IP       the address to listen on (127.0.0.1), for a web server with TLS on
                    this machine
MARGINALIA_PORT     the port (8000)
MARGINALIA_HOST     where browsers find it, https://course.example.org: each user then has
                    an origin of their own below it (nginx.conf beside this file)
MARGINALIA_STATE    a folder for the hub's database and keys, for its owner alone
                    (~/.local/state/marginalia/hub)
MARGINALIA_COURSE   a folder that every user gets as course/, where it is theirs to
                    change; the folder itself is never written to
MARGINALIA_ASSIGNMENTS  a course folder (marginalia course new): teachers have it as
                    assignments/, and formgrader on it at
                    /hub/user-redirect/formgrader/manage_assignments;
                    students fetch and hand in assignments with JupyterLab's list
                    of assignments, and find their feedback in feedback/
MARGINALIA_IMAGE    the image (marginalia-hub:local)
MARGINALIA_MEMORY   what a user may take (2G)
MARGINALIA_CPUS     the same of processors (1)
MARGINALIA_DISK     how large a user's home may grow, 2G for example (no limit): only if
                    Docker's volumes are on XFS, mounted with pquota, and for homes that
                    Docker has yet to make
MARGINALIA_IDLE     a server is stopped when nothing has happened in it for so many
                    seconds (3600)
MARGINALIA_HUB_IP   this machine's address in the network of the containers (172.30.0.1)
"""

import collections
import os
import re
import sys
import time

from docker.types import DriverConfig
from jupyterhub.auth import PAMAuthenticator
from tornado.web import HTTPError

c = get_config()  # noqa: F821

# The proxy listens here. Everything else the hub opens is for this machine and the
# containers' network.
c.JupyterHub.bind_url = "http://{}:{}".format(
    os.environ.get("MARGINALIA_IP", "127.0.0.1"), os.environ.get("MARGINALIA_PORT", "8000"))

# The database holds hashes of tokens, and the secret signs everybody's cookies.
state = os.path.abspath(os.environ.get("MARGINALIA_STATE") or os.path.join(
    os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state"), "marginalia", "hub"))
os.makedirs(state, mode=0o700, exist_ok=True)
os.chmod(state, 0o700)  # it may have been there
c.JupyterHub.db_url = "sqlite:///" + os.path.join(state, "jupyterhub.sqlite")
c.JupyterHub.cookie_secret_file = os.path.join(state, "jupyterhub_cookie_secret")
c.ConfigurableHTTPProxy.pid_file = os.path.join(state, "jupyterhub-proxy.pid")

# An origin for each user: what a student's page does in a visitor's browser, it does
# without the visitor's rights on the hub and on other servers. With __Host- before their
# names, cookies that one origin sets for its siblings are not taken for the hub's.
if "MARGINALIA_HOST" in os.environ:
    c.JupyterHub.subdomain_host = os.environ["MARGINALIA_HOST"]
    c.JupyterHub.cookie_host_prefix_enabled = True

# The web server and the proxy connect from here, so what they say of a visitor's address
# is taken. Containers connect from elsewhere.
hub_ip = os.environ.get("MARGINALIA_HUB_IP", "172.30.0.1")
ours = ["127.0.0.1", hub_ip]
c.JupyterHub.trusted_downstream_ips = ours


class Throttled(PAMAuthenticator):
    """Asks the machine for passwords (PAM), and refuses to ask after too many wrong ones.

    Five for one name from one address, so that one stranger elsewhere can keep nobody out;
    fifty for one name from anywhere; a hundred from one address, which a class may share.
    """

    window = 300  # seconds
    most = {"both": 5, "name": 50, "address": 100}
    wrong = collections.deque()  # (when, name, address), the oldest first; at most 50 for one name

    async def authenticate(self, handler, data):
        request, now = handler.request, time.monotonic()
        if request.connection.context.address[0] not in ours:
            # A container that asks the hub itself could claim any address.
            raise HTTPError(403, "Log in through the proxy.")
        # The last address that is not ours: what stands before it, the visitor has claimed.
        # Tornado would prefer X-Real-IP, which many web servers pass on as it came.
        hops = ",".join(request.headers.get_list("X-Forwarded-For")).split(",")
        address = next((h.strip() for h in reversed(hops) if h.strip() not in ours), "")
        name = self.normalize_username(data["username"])
        attempt = (now, name if name in self.allowed_users else "", address)
        while self.wrong and self.wrong[0][0] < now - self.window:
            self.wrong.popleft()
        same = [(w[1] == attempt[1], w[2] == address) for w in self.wrong]
        counts = {"both": sum(n and a for n, a in same), "name": sum(n for n, _ in same), "address": sum(a for _, a in same)}
        if any(counts[k] >= self.most[k] for k in counts):
            raise HTTPError(429, "Too many wrong passwords. Wait five minutes.")
        # Counted before it is checked, so that guesses at the same moment count as well.
        self.wrong.append(attempt)
        user = await super().authenticate(handler, data)
        if user is not None and attempt in self.wrong:
            self.wrong.remove(attempt)
        return user


# Another authenticator has to throttle for itself.
c.JupyterHub.authenticator_class = Throttled
names = open(os.environ["MARGINALIA_USERS"]).read().split()
c.Authenticator.allowed_users = {n.rstrip("*") for n in names}
teachers = {n.rstrip("*") for n in names if n.endswith("*")}

# A container each, closed as README.md says, with a volume each for the home.
c.JupyterHub.spawner_class = "docker"
c.DockerSpawner.image = os.environ.get("MARGINALIA_IMAGE", "marginalia-hub:local")
home = {"type": "volume", "source": "home-{username}", "target": "/home/learner"}
if "MARGINALIA_DISK" in os.environ:
    home["driver_config"] = DriverConfig("local", {"size": os.environ["MARGINALIA_DISK"]})
c.DockerSpawner.mounts = [home]
if "MARGINALIA_COURSE" in os.environ:
    c.DockerSpawner.read_only_volumes = {os.environ["MARGINALIA_COURSE"]: "/opt/course"}
c.DockerSpawner.network_name = "course"
c.JupyterHub.hub_ip = hub_ip
c.DockerSpawner.use_internal_ip = True
c.DockerSpawner.remove = True
c.DockerSpawner.extra_host_config = {
    "read_only": True,
    "tmpfs": {"/tmp": "exec,nosuid,nodev,mode=1777,size=1g"},
    "cap_drop": ["ALL"],
    "security_opt": ["no-new-privileges:true"],
    "pids_limit": 512,
    "memswap_limit": os.environ.get("MARGINALIA_MEMORY", "2G"),  # no swap beside the memory
    # What a container prints is kept on this machine's disk, and a student can print without end.
    "log_config": {"type": "json-file", "config": {"max-size": "10m", "max-file": "2"}},
}
c.Spawner.cmd = ["jupyterhub-singleuser"]
c.Spawner.default_url = "/lab/tree/lectures/00-index.ipynb"
c.Spawner.mem_limit = os.environ.get("MARGINALIA_MEMORY", "2G")
c.Spawner.cpu_limit = float(os.environ.get("MARGINALIA_CPUS", "1"))
# A class comes all at once: so many start together, the others wait their turn.
c.JupyterHub.concurrent_spawn_limit = 10
c.Spawner.start_timeout = 120
c.Spawner.http_timeout = 120


def folder(*path):
    """Makes a folder for the image's user. Teachers write to those around it, so a link in
    its place could lead anywhere on this machine."""
    path = os.path.join(*path)
    os.makedirs(path, exist_ok=True)
    if os.path.realpath(path) != path:
        raise ValueError(f"{path} is a link")
    if os.geteuid() == 0:
        os.chown(path, 1000, 1000, follow_symlinks=False)
    return path


def assign(spawner):
    """Gives a server its part of the course in MARGINALIA_ASSIGNMENTS. Users have the same
    id in all containers, so only the mounts keep students from the sources and from each
    other: nbgrader's exchange, with the student's own inbound folder in place of a common
    one, and the student's own feedback, read-only."""
    course, name = os.path.realpath(os.environ["MARGINALIA_ASSIGNMENTS"]), spawner.user.name
    if not re.fullmatch(r"[\w@][\w@.-]*", name):
        raise ValueError(f"{name!r} cannot be the name of a student's folder")
    said = re.search(r'(?m)^course *= *"([\w@.-]+)"', open(os.path.join(course, "course.toml")).read())
    if not said:
        raise ValueError('course.toml does not name the course by letters and digits: course = "…"')
    folder(course, "exchange")
    exchange = folder(course, "exchange", said[1])
    outbound, inbound, feedback = folder(exchange, "outbound"), folder(exchange, "inbound"), folder(course, "feedback")
    home = "/home/learner"
    if name in teachers:
        role, root = "teacher", home + "/assignments/exchange"
        mounts = {course: {"bind": home + "/assignments", "mode": "rw"}}
    else:
        role, root = "student", "/srv/exchange"
        mounts = {
            outbound: {"bind": f"{root}/{said[1]}/outbound", "mode": "ro"},
            folder(inbound, name): {"bind": f"{root}/{said[1]}/inbound", "mode": "rw"},
            folder(feedback, name): {"bind": home + "/feedback", "mode": "ro"},
        }
    spawner.volumes = {**spawner.volumes, **mounts}
    spawner.environment = {
        **spawner.environment,
        "JUPYTER_CONFIG_PATH": f"/opt/marginalia/docker/hub/{role}:/opt/marginalia/.venv/marginalia/config",
        "MARGINALIA_COMMAND": "marginalia",
        "MARGINALIA_COURSE_ID": said[1],
        "MARGINALIA_COURSE_ROOT": home + "/assignments",
        "MARGINALIA_EXCHANGE": root,
    }


if "MARGINALIA_ASSIGNMENTS" in os.environ:
    c.Spawner.pre_spawn_hook = assign
    # nbgrader wants to be able to write to the exchange's own folder.
    c.DockerSpawner.extra_host_config["tmpfs"]["/srv/exchange"] = "nosuid,nodev,mode=1777,size=1m"

# The server of somebody who does nothing is stopped; the volume stays.
c.JupyterHub.services = [{
    "name": "idle-culler",
    "command": [sys.executable, "-m", "jupyterhub_idle_culler", "--timeout=" + os.environ.get("MARGINALIA_IDLE", "3600")],
}]
c.JupyterHub.load_roles = [
    {
        "name": "idle-culler",
        "scopes": ["list:users", "read:users:activity", "read:servers", "delete:servers"],
        "services": ["idle-culler"],
    },
    # JupyterHub's own role for teachers, admin, opens every server. Nor does a teacher
    # get admin:users: who may rename users can take another's name, and so the volume.
    {
        "name": "teacher",
        "description": "See who is there, start and stop servers",
        "scopes": ["admin-ui", "list:users", "read:users:activity", "servers"],
        "users": sorted(teachers),
    },
    # Nobody is admin, not even who was in an older database.
    {"name": "admin", "users": []},
]
