// The sample application as a child process. One owner; disposed by it.
using System.Diagnostics;
using System.Net.Sockets;
using System.Text.RegularExpressions;
using Garnet.Testing;

namespace Garnet.Caching.Tests.Samples;

/// <summary>Runs the shop on a port that the system chooses, its server on a Unix socket in a folder of its own.</summary>
internal sealed partial class SampleShop : IDisposable
{
    private static readonly TimeSpan StartTimeout = TimeSpan.FromSeconds(60);

    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-shop-").FullName;
    private readonly TaskCompletionSource<Uri> _address = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Process _process;

    private SampleShop(string? cacheServer)
    {
        string configuration = AppContext.BaseDirectory.Contains(
            $"{Path.DirectorySeparatorChar}Release{Path.DirectorySeparatorChar}",
            StringComparison.Ordinal
        )
            ? "Release"
            : "Debug";
        string application = RepositoryRoot.Combine(
            "samples",
            "Garnet.SampleShop",
            "bin",
            configuration,
            "net10.0",
            "Garnet.SampleShop.dll"
        );
        string dotnet = Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") is { Length: > 0 } path ? path : "dotnet";
        string[] server = cacheServer is null
            ? ["--Garnet:port", "0", "--Garnet:unixsocket", Socket, "--Garnet:dir", _folder]
            : ["--CacheServer", cacheServer];
        ProcessStartInfo start = new(dotnet, [application, "--urls", "http://127.0.0.1:0", "--SearchWindow", "01:00:00", .. server])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            WorkingDirectory = Path.GetDirectoryName(application),
        };
        _process = new Process { StartInfo = start, EnableRaisingEvents = true };
        _process.OutputDataReceived += (_, line) => Look(line.Data);
        _process.ErrorDataReceived += (_, line) => Look(line.Data);
        _process.Exited += (_, _) => _address.TrySetException(new InvalidOperationException("The sample has ended."));
        _process.Start();
        _process.BeginOutputReadLine();
        _process.BeginErrorReadLine();
    }

    public string Socket => Path.Combine(_folder, "s");

    public UnixDomainSocketEndPoint EndPoint => new(Socket);

    public static async Task<(SampleShop Shop, Uri Address)> StartAsync(string? cacheServer = null)
    {
        SampleShop shop = new(cacheServer);
        try
        {
            return (shop, await shop._address.Task.WaitAsync(StartTimeout));
        }
        catch
        {
            shop.Dispose();
            throw;
        }
    }

    public void Dispose()
    {
        _process.Kill();
        _process.WaitForExit();
        _process.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    private void Look(string? line)
    {
        if (line is not null && Listening().Match(line) is { Success: true } match)
            _address.TrySetResult(new Uri(match.Groups[1].Value));
    }

    [GeneratedRegex("Now listening on: (http://\\S+)")]
    private static partial Regex Listening();
}
