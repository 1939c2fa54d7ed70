// Real client programs, unmodified, over TLS. Each test has its own server.
using System.Globalization;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.EndToEnd.Tests.Tls;

public sealed class TlsClientProgramTests(ITestOutputHelper output)
{
    [PeerFact("redis-cli")]
    public async Task Redis_cli_works_over_Tls()
    {
        await using TlsTestServer server = await TlsTestServer.StartAsync();
        string[] address = [.. Address(server), "--tls", "--cacert", server.Certificates.AuthorityFile];
        Assert.Equal("OK\nv\n", Run("redis-cli", address, "SET k v\nGET k\n"));
        string load = string.Concat(Enumerable.Range(0, 3000).Select(static i => $"*3\r\n$3\r\nSET\r\n$4\r\n{i:D4}\r\n$4\r\n{i:D4}\r\n"));
        Assert.Contains("errors: 0, replies: 3000", Run("redis-cli", [.. address, "--pipe"], load), StringComparison.Ordinal);
    }

    [PeerFact("redis-cli")]
    public async Task Redis_cli_presents_its_certificate_when_required()
    {
        await using TlsTestServer server = await TlsTestServer.StartAsync(
            (options, certificates) =>
            {
                options.TlsAuthClients = ClientCertificates.Yes;
                options.TlsCaCertFile = certificates.AuthorityFile;
                options.TlsPfxFile = certificates.WritePfx("secret");
                options.TlsKeyPassword = "secret";
                (options.TlsCertFile, options.TlsKeyFile) = ("", "");
            }
        );
        (string certificate, string key) = server.Certificates.WriteClient("someone");
        string[] address = [.. Address(server), "--tls", "--cacert", server.Certificates.AuthorityFile];
        Assert.Equal("PONG\n", Run("redis-cli", [.. address, "--cert", certificate, "--key", key], "PING\n"));
        var refused = ClientProcess.Run(Peers.Find("redis-cli"), [.. address, "PING"]);
        Assert.DoesNotContain("PONG", refused.Output, StringComparison.Ordinal);
    }

    [PeerFact("redis-benchmark")]
    public async Task Redis_benchmark_runs_over_Tls()
    {
        await using TlsTestServer server = await TlsTestServer.StartAsync();
        string run = Run(
            "redis-benchmark",
            [
                .. Address(server),
                "--tls",
                "--cacert",
                server.Certificates.AuthorityFile,
                "-n",
                "2000",
                "-c",
                "10",
                "-P",
                "16",
                "-q",
                "-t",
                "set,get",
            ],
            ""
        );
        Assert.Equal(2, run.Split("requests per second").Length - 1);
    }

    [PeerFact("python3-redis")]
    public Task Redis_py_works_over_Tls() => WalkAsync(Peers.Python, "python", "walk.py");

    [PeerFact("node-clients")]
    public Task Ioredis_works_over_Tls() => WalkAsync(Peers.Find("node"), "node", "ioredis.mjs");

    private static string[] Address(TlsTestServer server) =>
        ["-h", "127.0.0.1", "-p", server.EndPoint.Port.ToString(CultureInfo.InvariantCulture)];

    private static string Run(string program, string[] arguments, string input)
    {
        var run = ClientProcess.Run(Peers.Find(program), arguments, input);
        Assert.True(run.ExitCode == 0, run.Output);
        return run.Output;
    }

    private async Task WalkAsync(string program, string folder, string script)
    {
        await using TlsTestServer server = await TlsTestServer.StartAsync(
            (options, certificates) =>
            {
                // An encrypted key, as is common.
                certificates.EncryptKey("secret");
                options.TlsKeyPassword = "secret";
            }
        );
        var run = ClientProcess.Run(
            program,
            [
                RepositoryRoot.Combine("test", "clients", folder, script),
                "127.0.0.1",
                server.EndPoint.Port.ToString(CultureInfo.InvariantCulture),
                server.Certificates.AuthorityFile,
            ]
        );
        output.WriteLine(run.Output);
        Assert.True(run.ExitCode == 0, run.Output);
    }
}
