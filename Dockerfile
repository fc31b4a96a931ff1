# One image for every process of the service:
#   node src/server.ts           the API (the default)
#   node src/worker.ts           the worker
#   node src/cli.ts migrate      migrations, and the operator's other commands
# Node runs the TypeScript sources; only the console's pages are built.

FROM node:26-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# No install script needs to run: sodium-native, the only native package, includes its binaries.
RUN npm ci --omit=dev --ignore-scripts && npm cache clean --force

FROM node:26-bookworm-slim AS pages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts && npm cache clean --force
COPY scripts/build-console.ts scripts/
COPY src src
RUN node scripts/build-console.ts

FROM node:26-bookworm-slim
ENV NODE_ENV=production
# No object's prototype can be reached, or replaced, through data that names `__proto__`.
ENV NODE_OPTIONS=--disable-proto=throw
WORKDIR /app
COPY package.json ./
COPY --from=dependencies /app/node_modules node_modules
COPY migrations migrations
COPY src src
# The guides that the API serves.
COPY docs docs
COPY --from=pages /app/dist/console dist/console
# Everything above belongs to root: the service reads it and writes nothing.
USER node
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.METRICS_PORT || 9090}/readyz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# In exec form, so that SIGTERM reaches Node and the process drains.
CMD ["node", "src/server.ts"]
