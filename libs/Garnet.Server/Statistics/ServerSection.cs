// INFO server. Any thread.
using System.Net;
using System.Runtime.InteropServices;
using Garnet.Commands.Keys;
using Garnet.Engine.Clients;
using Garnet.Server.Basics;
using Garnet.Server.Configuration;
using Garnet.Server.Shutdown;
using Garnet.Store;

namespace Garnet.Server.Statistics;

/// <summary>The server's identity and environment.</summary>
internal sealed class ServerSection(
    ServerConfiguration configuration,
    ServerClock clock,
    ServerIdentity identity,
    IHostFigures host,
    LastEffects lastEffects
) : InfoSection("server", "Server", isDefault: true)
{
    private static readonly string OperatingSystemName = ReadOperatingSystem();

    /// <inheritdoc/>
    public override void Write(InfoText text, CounterTotals totals)
    {
        GarnetOptions options = configuration.Current;
        DateTimeOffset now = clock.Time.GetUtcNow();
        long uptimeSeconds = (now.ToUnixTimeMilliseconds() - clock.StartedMs) / 1000;
        text.Field("redis_version", ServerVersion.Compatibility);
        text.Field("server_name", "garnet");
        text.Field("garnet_version", ServerVersion.Current);
        text.Field("garnet_build", ServerVersion.IsNative ? "native" : "managed");
        text.Field("redis_git_sha1", ServerVersion.Revision.Length >= 8 ? ServerVersion.Revision[..8] : "00000000");
        text.Field("redis_mode", "standalone");
        text.Field("server_mode", "standalone");
        text.Field("os", OperatingSystemName);
        text.Field("arch_bits", IntPtr.Size * 8);
        if (options.Transport == TransportKind.Epoll)
            text.Field("multiplexing_api", "epoll");
        text.Field("dotnet_version", Environment.Version.ToString());
        text.Field("process_id", Environment.ProcessId);
        text.Field("process_supervised", identity.IsSupervised ? "systemd" : "no");
        text.Field("run_id", identity.RunId);
        IReadOnlyList<EndPoint> listening = host.EndPoints;
        IReadOnlyList<EndPoint> secret = host.TlsEndPoints;
        text.Field(
            "tcp_port",
            (listening.OfType<IPEndPoint>().FirstOrDefault() ?? secret.OfType<IPEndPoint>().FirstOrDefault())?.Port ?? 0
        );
        text.Field("server_time_usec", (now - DateTimeOffset.UnixEpoch).Ticks / TimeSpan.TicksPerMicrosecond);
        text.Field("uptime_in_seconds", uptimeSeconds);
        text.Field("uptime_in_days", uptimeSeconds / 86400);
        text.Field("hz", ServerClock.TicksPerSecond);
        text.Field("configured_hz", ServerClock.TicksPerSecond);
        text.Field("clients_hz", ServerClock.TicksPerSecond);
        text.Field("lru_clock", now.ToUnixTimeSeconds() & ObjectIdleTimeCommand.ClockMask);
        text.Field("executable", Environment.ProcessPath ?? "");
        if (lastEffects.RemainingMs is { } left)
            text.Field("shutdown_in_milliseconds", left);
        text.Field("config_file", configuration.FilePath ?? "");
        text.Field("io_threads_active", host.IoThreads);
        text.Field("availability_zone", options.AvailabilityZone);
        WriteListeners(text, listening, secret);
    }

    // One line for each TCP port with its addresses, and one for each Unix socket. Valkey numbers them by kind, 0 for TCP, 1 for Unix
    // sockets and 2 for TLS; an application may open several of a kind, and the additional ones continue from 3.
    private static void WriteListeners(InfoText text, IReadOnlyList<EndPoint> listening, IReadOnlyList<EndPoint> secret)
    {
        string[] tcp = PortLines("tcp", listening);
        string[] tls = PortLines("tls", secret);
        string[] unix =
        [
            .. listening.Where(static endPoint => endPoint is not IPEndPoint).Select(static socket => $"name=unix,bind={socket}"),
        ];
        int next = 3;
        for (int i = 0; i < tcp.Length; i++)
            text.Field($"listener{(i == 0 ? 0 : next++)}", tcp[i]);
        for (int i = 0; i < unix.Length; i++)
            text.Field($"listener{(i == 0 ? 1 : next++)}", unix[i]);
        for (int i = 0; i < tls.Length; i++)
            text.Field($"listener{(i == 0 ? 2 : next++)}", tls[i]);
    }

    private static string[] PortLines(string kind, IReadOnlyList<EndPoint> listening) =>
        [
            .. listening
                .OfType<IPEndPoint>()
                .GroupBy(static endPoint => endPoint.Port)
                .Select(port => $"name={kind}{string.Concat(port.Select(static endPoint => $",bind={endPoint.Address}"))},port={port.Key}"),
        ];

    // The text of uname, if the system provides it as files.
    private static string ReadOperatingSystem()
    {
        const string Release = "/proc/sys/kernel/osrelease";
        string architecture = RuntimeInformation.OSArchitecture switch
        {
            Architecture.X64 => "x86_64",
            Architecture.Arm64 => "aarch64",
            Architecture other => other.ToString().ToLowerInvariant(),
        };
        return HostSystem.IsLinux && File.Exists(Release)
            ? $"Linux {File.ReadAllText(Release).Trim()} {architecture}"
            : $"{RuntimeInformation.OSDescription} {architecture}";
    }
}
