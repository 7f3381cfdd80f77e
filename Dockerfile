# syntax=docker/dockerfile:1
# One target a service: api-gateway, capture-worker, webhook-dispatcher, egress-proxy, and migrate, which prepares the
# database and ends. docker-compose.yml and deploy/kubernetes say what each is given.
FROM node:24-bookworm-slim AS build
WORKDIR /app
# Prisma's install step would download an engine that nothing here uses; any executable file keeps it from that.
ENV TURBO_TELEMETRY_DISABLED=1 PUPPETEER_SKIP_DOWNLOAD=1 PRISMA_SCHEMA_ENGINE_BINARY=/usr/local/bin/node
COPY . .
RUN npm ci
RUN npx turbo run build

# The same without what only building and testing need.
FROM build AS platform
RUN rm -rf node_modules apps/*/node_modules packages/*/node_modules \
 && npm ci --omit=dev -w apps/api-gateway -w apps/capture-worker -w apps/webhook-dispatcher -w prisma

# Who meets the internet carries the fewest packages of others.
FROM build AS egress
RUN rm -rf node_modules apps/*/node_modules packages/*/node_modules \
 && npm ci --omit=dev -w apps/egress-proxy

FROM node:24-bookworm-slim AS service
# An init that passes signals on and buries what a browser leaves behind, wherever the image runs.
RUN apt-get update \
 && apt-get install -y --no-install-recommends tini \
 && rm -rf /var/lib/apt/lists/*
# Threads for look-ups: one of a dead name holds its thread for seconds, and Node's four would soon be used up.
ENV NODE_ENV=production UV_THREADPOOL_SIZE=128
WORKDIR /app
# By its number, which Kubernetes can tell from root's.
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

# The worker brings the browser, the lists of what is an advertisement, and the fonts of the pages that it meets: what
# `npm start` installs and more, all scripts in all weights, and clones of Office's.
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
