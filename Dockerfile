# One image for all services; docker-compose.yml says which of them a container runs.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY . .
ENV PUPPETEER_SKIP_DOWNLOAD=1 TURBO_TELEMETRY_DISABLED=1
# Prisma's install step would download an engine that nothing here uses; any executable file keeps it from that.
RUN PRISMA_SCHEMA_ENGINE_BINARY=/usr/local/bin/node npm ci && npx turbo run build && npm prune --omit=dev

FROM node:24-bookworm-slim AS service
# Threads for look-ups: one of a dead name holds its thread for seconds, and Node's four would soon be used up.
ENV NODE_ENV=production UV_THREADPOOL_SIZE=128
WORKDIR /app
COPY --from=build /app /app
USER node

# The worker brings the browser, the lists of what is an advertisement, and the fonts of the pages that it meets.
FROM service AS capture-worker
USER root
RUN apt-get update \
 && apt-get install -y --no-install-recommends chromium-headless-shell webext-ublock-origin-chromium \
    fonts-liberation fonts-dejavu-core fonts-noto-cjk fonts-noto-color-emoji \
 && rm -rf /var/lib/apt/lists/*
USER node
CMD ["node", "apps/capture-worker/dist/main.js"]
