# One image for every process of the service:
#   node src/server.ts           the API (what runs when nothing else is said)
#   node src/worker.ts           the worker
#   node src/cli.ts migrate      migrations, and every other command of the operator's
# Node runs the TypeScript sources as they are; there is nothing to build.

FROM node:26-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# No install script is needed to run: the one native package, sodium-native, brings its binaries.
RUN npm ci --omit=dev --ignore-scripts && npm cache clean --force

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
# Everything above belongs to root: the service reads it and writes nothing.
USER node
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.METRICS_PORT || 9090}/readyz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# In exec form, so that SIGTERM reaches Node and the process drains.
CMD ["node", "src/server.ts"]
