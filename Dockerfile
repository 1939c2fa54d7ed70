# Garnet as an image: the native build on a base without a shell, run as an ordinary user. See docs/running.md.
#   docker build .                     the native build
#   docker build --target managed .    on the ASP.NET runtime, for MODULE LOAD
FROM mcr.microsoft.com/dotnet/sdk:10.0 AS source
WORKDIR /source
COPY . .

FROM source AS managed-build
RUN dotnet publish src/GarnetServer -c Release -o /app

FROM mcr.microsoft.com/dotnet/aspnet:10.0 AS managed
COPY --from=managed-build /app /app
RUN mkdir /data && chown $APP_UID:$APP_UID /data
# Every option is a variable: GARNET_ and its name with _ for -. The diagnostics port would want a writable /tmp.
ENV GARNET_DIR=/data
ENV DOTNET_EnableDiagnostics=0
VOLUME /data
WORKDIR /data
USER $APP_UID
EXPOSE 6379
# Not ready while it loads its data, which may take long; that counts only after the start period.
HEALTHCHECK --interval=10s --timeout=6s --start-period=10m --retries=3 CMD ["/app/garnet", "--ping"]
ENTRYPOINT ["/app/garnet"]

FROM source AS native-build
RUN apt-get update && apt-get install -y --no-install-recommends clang zlib1g-dev
RUN dotnet publish src/GarnetServer -c Release -p:PublishAot=true -o /app && rm -f /app/*.dbg && mkdir /data

FROM mcr.microsoft.com/dotnet/runtime-deps:10.0-noble-chiseled AS native
COPY --from=native-build /app /app
COPY --from=native-build --chown=$APP_UID:$APP_UID /data /data
ENV GARNET_DIR=/data
VOLUME /data
WORKDIR /data
USER $APP_UID
EXPOSE 6379
HEALTHCHECK --interval=10s --timeout=6s --start-period=10m --retries=3 CMD ["/app/garnet", "--ping"]
ENTRYPOINT ["/app/garnet"]
