# syntax=docker/dockerfile:1
# One target a service: api-gateway, capture-worker, webhook-dispatcher, egress-proxy, and migrate, which prepares the
# database and exits. docker-compose.yml and deploy/kubernetes show the settings of each.
FROM node:24-bookworm-slim AS build
WORKDIR /app
# Prisma's install step would download an engine that nothing here uses; any executable file keeps it from that.
ENV TURBO_TELEMETRY_DISABLED=1 PUPPETEER_SKIP_DOWNLOAD=1 PRISMA_SCHEMA_ENGINE_BINARY=/usr/local/bin/node
COPY . .
RUN npm ci
RUN npx turbo run build

# Production dependencies only.
FROM build AS platform
RUN rm -rf node_modules apps/*/node_modules packages/*/node_modules \
 && npm ci --omit=dev -w apps/api-gateway -w apps/capture-worker -w apps/webhook-dispatcher -w apps/ops -w prisma

# The service that faces the internet carries the fewest packages.
FROM build AS egress
RUN rm -rf node_modules apps/*/node_modules packages/*/node_modules \
 && npm ci --omit=dev -w apps/egress-proxy

FROM node:24-bookworm-slim AS service
# An init that forwards signals and reaps the processes that a browser leaves behind.
RUN apt-get update \
 && apt-get install -y --no-install-recommends tini \
 && rm -rf /var/lib/apt/lists/*
# DNS look-ups use threads. A dead name holds one for seconds, so Node's default of four is soon exhausted. With a memory
# pool for each of them, a worker takes 100 MB more.
ENV NODE_ENV=production UV_THREADPOOL_SIZE=128 MALLOC_ARENA_MAX=2
WORKDIR /app
# A numeric user, so that Kubernetes can verify that it is not root.
USER 1000:1000
ENTRYPOINT ["/usr/bin/tini", "--"]

FROM service AS migrate
COPY --from=platform /app /app
CMD ["node", "prisma/dist/main.js"]

FROM service AS api-gateway
COPY --from=platform /app /app
EXPOSE 3000
CMD ["node", "apps/api-gateway/dist/main.js"]

FROM service AS webhook-dispatcher
COPY --from=platform /app /app
EXPOSE 9464
CMD ["node", "apps/webhook-dispatcher/dist/main.js"]

FROM service AS egress-proxy
COPY --from=egress /app /app
EXPOSE 3001
CMD ["node", "apps/egress-proxy/dist/main.js"]

# The worker image contains the browser, ad-blocking lists and fonts: what `npm start` installs, plus metric-compatible Office
# fonts.
FROM service AS capture-worker
USER root
RUN apt-get update \
 && apt-get install -y --no-install-recommends chromium-headless-shell webext-ublock-origin-chromium \
    fonts-liberation fonts-dejavu-core fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji \
    fonts-crosextra-carlito fonts-crosextra-caladea \
 && rm -rf /var/lib/apt/lists/*
COPY --from=platform /app /app
USER 1000:1000
EXPOSE 9464
CMD ["node", "apps/capture-worker/dist/main.js"]
