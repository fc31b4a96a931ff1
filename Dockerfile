# One image for every process of the service:
#   node src/server.ts           the API (the default)
#   node src/worker.ts           the worker
#   node src/cli.ts migrate      migrations, and the operator's other commands
# The first two are links to what is built of the sources, which takes less memory. Commands run the
# TypeScript sources.
#
# Where the way to the package registry is inspected, give the build the CA that signs it:
#   docker build --secret id=company-ca,src=company-ca.pem --tag lending-service .
#
# BUILD is what processes show as their build:
#   docker build --build-arg BUILD="$(git log -1 --format='%h %cs')" --tag lending-service .

FROM node:26-bookworm-slim AS init
# Debian's archive keeps one version, so a pinned one would soon be gone.
# hadolint ignore=DL3008
RUN apt-get update && apt-get install --yes --no-install-recommends tini

FROM node:26-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY scripts/prune-packages.ts scripts/
# No install script needs to run: sodium-native, the only native package, includes its binaries.
RUN --mount=type=secret,id=company-ca \
  if [ -f /run/secrets/company-ca ]; then export NODE_EXTRA_CA_CERTS=/run/secrets/company-ca; fi; \
  npm ci --omit=dev --ignore-scripts \
  && node scripts/prune-packages.ts node_modules

FROM node:26-bookworm-slim AS pages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN --mount=type=secret,id=company-ca \
  if [ -f /run/secrets/company-ca ]; then export NODE_EXTRA_CA_CERTS=/run/secrets/company-ca; fi; \
  npm ci --ignore-scripts
# What those of the pages extend.
COPY tsconfig.json ./
COPY scripts/build-pages.ts scripts/build-service.ts scripts/
COPY scripts/openapi scripts/openapi
COPY migrations migrations
# The service is loaded to describe itself, and it reads its guides.
COPY docs docs
COPY CHANGELOG.md ./
COPY src src
# What is left of the sources is what the processes load.
RUN node scripts/build-pages.ts \
  && node scripts/build-service.ts \
  && rm -r src/console src/desk src/pages src/svc \
  && ln -sf ../dist/service/server.js src/server.ts \
  && ln -sf ../dist/service/worker.js src/worker.ts

FROM node:26-bookworm-slim
ENV NODE_ENV=production
# No object's prototype can be reached, or replaced, through data that names `__proto__`.
# A small young generation, and one heap of malloc's that gives back what is free at its end.
ENV NODE_OPTIONS="--disable-proto=throw --max-semi-space-size=8" MALLOC_ARENA_MAX=1 MALLOC_TRIM_THRESHOLD_=131072
WORKDIR /app
COPY --from=init /usr/bin/tini /usr/bin/tini
COPY package.json ./
COPY --from=dependencies /app/node_modules node_modules
COPY migrations migrations
COPY --from=pages /app/src src
# The guides that the API serves.
COPY CHANGELOG.md ./
COPY docs docs
COPY --from=pages /app/dist dist
# Last, because it differs in each release.
ARG BUILD
RUN echo "$BUILD" > BUILD
# Everything above belongs to root: the service reads it and writes nothing.
# The user node, as a number: Kubernetes verifies only numbers.
USER 1000
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "require(`http`).get({ host: `127.0.0.1`, port: process.env.METRICS_PORT || 9090, path: `/readyz`, agent: new (require(`http`).Agent)() }, (answer) => process.exit(answer.statusCode === 200 ? 0 : 1)).on(`error`, () => process.exit(1))"]
# The kernel ignores SIGTERM for process 1 until it listens, and Node listens after 0.1 s at best.
ENTRYPOINT ["/usr/bin/tini", "--"]
# In exec form, so that SIGTERM reaches Node and the process drains.
CMD ["node", "src/server.ts"]
