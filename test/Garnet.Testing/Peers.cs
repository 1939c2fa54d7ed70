// Finds other programs that tests use. Immutable after first use; any thread.
using System.Collections.Concurrent;
using System.Diagnostics;

namespace Garnet.Testing;

/// <summary>Locates peers on PATH, and valkey-server by GARNET_VALKEY_SERVER.</summary>
internal static class Peers
{
    /// <summary>The Python for which Debian's library packages are installed.</summary>
    public const string Python = "/usr/bin/python3";

    private static readonly ConcurrentDictionary<string, string?> Found = new();

    /// <summary>True in continuous integration, where a missing peer is a failure and not a skipped test.</summary>
    public static bool Required => Environment.GetEnvironmentVariable("GARNET_REQUIRE_PEERS") == "1";

    /// <summary>The peer's path, or null if it is not installed.</summary>
    public static string? TryFind(string peer) =>
        Found.GetOrAdd(
            peer,
            static name =>
                name switch
                {
                    "python3-redis" => CanImport("redis") ? Python : null,
                    "python3-celery" => CanImport("celery, redis") ? Python : null,
                    "python3-rq" => CanImport("rq") ? Python : null,
                    "python3-prometheus-client" => CanImport("prometheus_client") ? Python : null,
                    "node-clients" => FindNodeClients(),
                    "browser" => FindBrowser(),
                    "valkey-check-rdb" or "valkey-cli" => FindBeside("valkey-server", name),
                    "valkey-server" => Environment.GetEnvironmentVariable("GARNET_VALKEY_SERVER") is { Length: > 0 } path
                        ? path
                        : FindOnPath(name),
                    _ => FindOnPath(name),
                }
        );

    /// <summary>The peer's path.</summary>
    /// <exception cref="InvalidOperationException">It is not installed.</exception>
    public static string Find(string peer) => TryFind(peer) ?? throw new InvalidOperationException($"{peer} is not installed.");

    /// <summary>What has to be installed for a peer, where its name does not say it.</summary>
    public static string Describe(string peer) =>
        peer switch
        {
            "browser" => "chromium, node, and 'npm ci' in test/clients/dashboard",
            "node-clients" => "node, and 'npm ci' in test/clients/node",
            _ => peer,
        };

    private static string? FindOnPath(string name) =>
        (Environment.GetEnvironmentVariable("PATH") ?? "")
            .Split(Path.PathSeparator, StringSplitOptions.RemoveEmptyEntries)
            .Select(folder => Path.Combine(folder, name))
            .FirstOrDefault(File.Exists);

    private static string? FindBeside(string peer, string name) =>
        TryFind(peer) is { } path && Path.Combine(Path.GetDirectoryName(path)!, name) is var beside && File.Exists(beside) ? beside : null;

    private static string? FindNodeClients() =>
        Directory.Exists(RepositoryRoot.Combine("test", "clients", "node", "node_modules", "socket.io")) ? FindOnPath("node") : null;

    // Chromium, and what drives it.
    private static string? FindBrowser() =>
        Directory.Exists(RepositoryRoot.Combine("test", "clients", "dashboard", "node_modules", "playwright-core"))
        && FindOnPath("node") is not null
            ? FindOnPath("chromium")
            : null;

    private static bool CanImport(string module)
    {
        if (!File.Exists(Python))
            return false;
        using Process python = Process.Start(new ProcessStartInfo(Python, ["-c", "import " + module]) { RedirectStandardError = true })!;
        python.StandardError.ReadToEnd();
        python.WaitForExit();
        return python.ExitCode == 0;
    }
}
