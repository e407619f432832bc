# The image of both applications: the command says which one runs. Each has its own port, so health is asked where it is started
# (docker-compose.yml, ops/kubernetes), not here.
# For builds that can be repeated, name the base by its digest: --build-arg NODE_IMAGE=node:24-slim@sha256:…
ARG NODE_IMAGE=node:24-slim
FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY . .
# The database of the tests is of no use here, nor are other scripts of packages.
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts
RUN node scripts/build.mjs && npm prune --omit=dev --ignore-scripts

FROM ${NODE_IMAGE}
ENV NODE_ENV=production
WORKDIR /app
# Everything belongs to root: the application cannot change its own code.
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/libs ./libs
COPY --from=build /app/scripts ./scripts
COPY --from=build /app/dist ./dist
# The user "node" of the image, by number, so that Kubernetes can see that it is not root.
USER 1000:1000
# Node itself is the first process, without npm or a shell before it, so that it gets the signals and drains.
CMD ["node", "dist/apps/api/main.js"]
