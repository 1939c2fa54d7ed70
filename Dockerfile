# Garnet as an image: built with the SDK, run on the ASP.NET runtime as an ordinary user. See docs/running.md.
FROM mcr.microsoft.com/dotnet/sdk:10.0 AS build
WORKDIR /source
COPY . .
RUN dotnet publish src/GarnetServer -c Release -o /app

FROM mcr.microsoft.com/dotnet/aspnet:10.0
COPY --from=build /app /app
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
