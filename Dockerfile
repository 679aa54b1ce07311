# Runs the gateway on the runtime that it is written for; nothing is compiled.
FROM node:24-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
# Leaves out the pinned runtime, which is for machines without Node.js 24: the image already has it.
RUN npm ci --omit=dev --ignore-scripts

FROM node:24-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY package.json ./
COPY mappings mappings
COPY src src
# Mount points for the volumes with the results of comparing and the recordings. New volumes take their owner from these folders.
RUN mkdir /state /recordings && chown node /state /recordings
USER node
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.ADMIN_PORT || 8081}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "src/cli/bin.js", "serve", "--require-token-key"]
