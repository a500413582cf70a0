# The course as one image: JupyterLab, the Go kernel, the lectures and all that
# their cells link, compiled. docker/README.md says how to build and run it. Binder
# looks for this file in the root.
ARG BASE=debian:13.7-slim

# Four gzipped files of MNIST: --build-context mnist=FOLDER takes the place of this
# stage. Without it the build downloads them.
FROM scratch AS mnist

FROM ${BASE} AS base
SHELL ["/bin/bash", "-euo", "pipefail", "-c"]
# Debian's packages are those of the base's release; /usr/share/marginalia/packages.txt
# of the image lists them. Nothing in it becomes another user when it is run.
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates python3 tini \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt /var/cache/debconf/*-old /var/log/* \
 && find / -xdev -type f -perm /6000 -exec chmod a-s {} + \
 && mkdir /usr/share/marginalia \
 && dpkg-query -W -f '${Package} ${Version}\n' > /usr/share/marginalia/packages.txt

FROM base AS toolchain
# Debian's Go is only the starter: it takes the pinned toolchain from the module
# proxy and checks it against Go's public log of checksums.
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install -y --no-install-recommends golang-go python3-venv \
 && rm -rf /var/lib/apt/lists/*
ARG GO_VERSION=1.26.8
# Where modules come from, if not from the public places. The setting stays in this
# stage and the next, which are not part of the image.
ARG GOPROXY GOSUMDB GONOSUMDB
# The compiler may take more memory for less time.
ENV XDG_CACHE_HOME=/opt/cache GOTOOLCHAIN=local CGO_ENABLED=0 GOGC=400
RUN --mount=type=secret,id=ca,target=/etc/ssl/certs/ca-certificates.crt \
    --mount=type=cache,id=mod,target=/root/mod \
    export GOMODCACHE=/root/mod \
 && GOTOOLCHAIN=go${GO_VERSION} go version \
 && cp -r "$(GOTOOLCHAIN=go${GO_VERSION} go env GOROOT)" /usr/local/go \
 && chmod -R u+w /usr/local/go \
 && rm -rf /usr/local/go/api /usr/local/go/doc /usr/local/go/misc /usr/local/go/test /usr/local/go/src/cmd \
 && find /usr/local/go/src -name testdata -prune -exec rm -r {} + \
 && find /usr/local/go/src -name '*_test.go' -delete
ENV PATH=/usr/local/go/bin:$PATH

FROM toolchain AS tools
ARG GOPROXY GOSUMDB GONOSUMDB PIP_INDEX_URL
WORKDIR /opt/marginalia
COPY go.mod go.sum main.go LICENSE ./
COPY internal internal
COPY datasets datasets
COPY plotting plotting
COPY timing timing
# The tools have some hundred modules that no cell imports, so they are built from
# caches that stay outside; modules stand where those of the image will, so that the
# next stage can take what is compiled.
RUN --mount=type=secret,id=ca,target=/etc/ssl/certs/ca-certificates.crt \
    --mount=type=secret,id=pip,target=/etc/pip.conf \
    --mount=type=secret,id=netrc,target=/root/.netrc \
    --mount=type=cache,id=mod,target=/opt/cache/mod \
    --mount=type=cache,id=build,target=/root/build \
    --mount=type=cache,target=/root/pip \
    export PIP_CACHE_DIR=/root/pip GOCACHE=/root/build GOMODCACHE=/opt/cache/mod \
 && go build -ldflags=-s -o /usr/local/bin/marginalia . \
 && marginalia lab --set-up \
 && rm -f /opt/cache/marginalia/warm-* /opt/cache/marginalia/*.lock
RUN --mount=type=secret,id=ca,target=/etc/ssl/certs/ca-certificates.crt \
    --mount=type=cache,id=mod,target=/opt/cache/mod \
    --mount=type=cache,id=build,target=/root/build \
    --mount=type=bind,from=mnist,target=/mnist \
    mkdir -p /opt/cache/marginalia/mnist \
 && find /mnist -name '*-ubyte.gz' -exec cp {} /opt/cache/marginalia/mnist ';' \
 && { gunzip /opt/cache/marginalia/mnist/*.gz || GOCACHE=/root/build GOMODCACHE=/opt/cache/mod go run ./datasets/fetch; }

FROM tools AS build
COPY mlkit mlkit
COPY show show
# What cells link is compiled into caches that hold nothing else. Go's cache dates what
# it uses, unless the date is of the last hour, so what keeps the older one of the copy
# only the tools need; and it forgets what has not been used for five days. Modules that
# are unpacked are not needed packed, nor GoNB's own documentation. "go list" fetches
# the modules from which "marginalia test" builds.
RUN --mount=type=secret,id=ca,target=/etc/ssl/certs/ca-certificates.crt \
    --mount=type=secret,id=netrc,target=/root/.netrc \
    --mount=type=cache,id=mod,target=/root/mod \
    --mount=type=cache,id=build,target=/root/build \
    GOPROXY="file:///root/mod/cache/download,$(go env GOPROXY)" \
 && export GOPROXY GOCACHE=/opt/cache/build GOMODCACHE=/opt/cache/mod \
 && cp -r /root/build /opt/cache/build \
 && find /opt/cache/build -type f -exec touch -d '2 hours ago' {} + \
 && marginalia lab --set-up \
 && go list -deps . > /dev/null \
 && find /opt/cache/build -type f -mmin +90 -delete \
 && find /opt/cache/build -type f -exec touch -d 2100-01-01 {} + \
 && rm -f /opt/cache/build/*.txt \
 && find /opt/cache/mod/cache/download -name '*.zip' -delete \
 && chmod -R u+w /opt/cache/mod \
 && rm -r /opt/cache/mod/github.com/janpfeifer/gonb@*/docs /opt/cache/mod/github.com/janpfeifer/gonb@*/examples \
 && rm -f /opt/cache/marginalia/warm-* /opt/cache/marginalia/*.lock

FROM base
ARG VERSION=0 REVISION=unknown CREATED=1970-01-01T00:00:00Z
LABEL org.opencontainers.image.title="marginalia" \
      org.opencontainers.image.description="Linear classifiers, margins and kernels: Go notebooks in JupyterLab" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.created="${CREATED}"
RUN useradd --uid 1000 --create-home --shell /bin/bash learner
COPY --from=build /usr/local/go /usr/local/go
COPY --from=build /opt/cache /opt/cache
COPY --from=build /opt/marginalia /opt/marginalia
COPY --from=build /usr/local/bin/marginalia /usr/local/bin/marginalia
COPY notebooks /opt/marginalia/notebooks
COPY docker/start /usr/local/bin/start-lab
ENV HOME=/home/learner \
    PATH=/opt/marginalia/.venv/bin:/usr/local/go/bin:/usr/local/bin:/usr/bin:/bin \
    LANG=C.UTF-8 \
    SHELL=/bin/bash \
    XDG_CACHE_HOME=/tmp/cache \
    GOCACHE=/tmp/cache/go-build \
    GOMODCACHE=/opt/cache/mod \
    GOTOOLCHAIN=local \
    GOPROXY=off \
    CGO_ENABLED=0 \
    PYTHONNOUSERSITE=1 \
    JUPYTER_PREFER_ENV_PATH=1 \
    JUPYTER_CONFIG_PATH=/opt/marginalia/.venv/marginalia/config \
    JUPYTER_RUNTIME_DIR=/tmp/jupyter
WORKDIR /home/learner
VOLUME /home/learner
EXPOSE 8888
USER 1000:1000
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
    CMD ["python", "-c", "import os; from urllib.request import urlopen; urlopen('http://127.0.0.1:8888' + os.environ.get('JUPYTERHUB_SERVICE_PREFIX', '/') + 'api', timeout=4)"]
ENTRYPOINT ["tini", "--", "start-lab"]
