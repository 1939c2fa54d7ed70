// A whole server that takes the code paths of other operating systems (GARNET_SYSTEM), on Linux. Each test has its own processes and
// folder.
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Cli;

public sealed class OtherSystemsTests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-system-").FullName;

    public static TheoryData<string> Systems => ["windows", "macos"];

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory]
    [MemberData(nameof(Systems))]
    public void Data_of_all_kinds_is_saved_and_loaded_again(string system)
    {
        string before;
        using (GarnetProcess garnet = Start(system, "--save", "3600", "1000000"))
        using (RespExchange client = garnet.Connect())
        {
            Assert.True(
                SpinWait.SpinUntil(() => garnet.Output.Contains($"uses the code paths of {system}", StringComparison.Ordinal), Patience),
                garnet.Output
            );
            Assert.Contains("sockets", client.ExecuteText("CONFIG", "GET", "transport"), StringComparison.Ordinal);
            Fill(client);
            Assert.Equal("+OK\r\n", client.ExecuteText("SAVE"));
            Assert.Equal("+Background saving started\r\n", client.ExecuteText("BGSAVE"));
            // Writes during the save, which needs old images.
            Change(client);
            before = client.ExecuteText("DEBUG", "DIGEST");
            garnet.Signal("TERM");
            Assert.Equal(0, garnet.WaitForExit(Patience));
        }

        using GarnetProcess again = Start(system);
        using RespExchange reader = again.Connect();
        Assert.Equal(before, reader.ExecuteText("DEBUG", "DIGEST"));
        Assert.Equal("$4\r\nf7f7\r\n", reader.ExecuteText("HGET", "hash:3", "f7"));
        Assert.Equal("+OK\r\n", reader.ExecuteText("FLUSHALL"));
        Fill(reader);
        Change(reader);
        Assert.Equal(before, reader.ExecuteText("DEBUG", "DIGEST"));
    }

    [Theory]
    [MemberData(nameof(Systems))]
    public void Acknowledged_writes_survive_a_kill_and_a_rewrite(string system)
    {
        string[] options = ["--appendonly", "yes", "--appendfsync", "always", "--save", ""];
        string before;
        using (GarnetProcess garnet = Start(system, options))
        using (RespExchange client = garnet.Connect())
        {
            Fill(client);
            before = client.ExecuteText("DEBUG", "DIGEST");
            garnet.Kill();
        }

        using (GarnetProcess garnet = Start(system, options))
        using (RespExchange client = garnet.Connect())
        {
            Assert.Equal(before, client.ExecuteText("DEBUG", "DIGEST"));
            Assert.StartsWith("+Background append only file rewriting", client.ExecuteText("BGREWRITEAOF"), StringComparison.Ordinal);
            Change(client);
            client.AwaitInfo("persistence", "aof_rewrite_in_progress:0", Patience);
            Assert.Contains("aof_last_bgrewrite_status:ok", client.ExecuteText("INFO", "persistence"), StringComparison.Ordinal);
            before = client.ExecuteText("DEBUG", "DIGEST");
            garnet.Kill();
        }

        using GarnetProcess last = Start(system, options);
        using RespExchange reader = last.Connect();
        Assert.Equal(before, reader.ExecuteText("DEBUG", "DIGEST"));
    }

    [Theory]
    [MemberData(nameof(Systems))]
    public void Memory_stays_below_its_limit_and_is_returned(string system)
    {
        const int Values = 6000;
        using GarnetProcess garnet = Start(system, "--maxmemory", "32mb", "--maxmemory-policy", "allkeys-lru", "--save", "");
        using RespExchange client = garnet.Connect();
        for (int i = 0; i < Values; i++)
            Assert.Equal("+OK\r\n", client.ExecuteText("SET", "key:" + i, new string('v', 4000 + (i % 5 * 8000))));
        Assert.InRange(client.InfoNumber("used_memory"), 1, 32 << 20);
        Assert.InRange(client.InfoNumber("evicted_keys"), 1, Values);
        Assert.InRange(client.InfoNumber("used_memory_rss"), 1, long.MaxValue);
        Assert.InRange(client.InfoNumber("total_system_memory"), 1, long.MaxValue);

        // Values that change their size free parts of blocks and allocate others.
        for (int i = 0; i < 400; i++)
            client.ExecuteText("APPEND", "grows:" + (i % 8), new string('w', 10_000));
        Assert.Equal("+OK\r\n", client.ExecuteText("MEMORY", "PURGE"));
        for (int i = 0; i < 8; i++)
        {
            if (client.ExecuteText("STRLEN", "grows:" + i) is not ":0\r\n" and var length)
            {
                Assert.Equal(
                    new string('w', int.Parse(length.AsSpan(1), CultureInfo.InvariantCulture)),
                    Bulk(client.ExecuteText("GET", "grows:" + i))
                );
            }
        }

        Assert.Equal("+OK\r\n", client.ExecuteText("CONFIG", "SET", "maxmemory", "50%"));
    }

    [Theory]
    [MemberData(nameof(Systems))]
    public void Keys_expire(string system)
    {
        using GarnetProcess garnet = Start(system, "--save", "");
        using RespExchange client = garnet.Connect();
        for (int i = 0; i < 500; i++)
            Assert.Equal("+OK\r\n", client.ExecuteText("SET", "key:" + i, "v", "PX", i % 2 == 0 ? "1" : "3600000"));
        client.AwaitInfo("stats", "expired_keys:250", Patience);
        Assert.Equal(":250\r\n", client.ExecuteText("DBSIZE"));
    }

    [Theory]
    [MemberData(nameof(Systems))]
    public void Tls_works_with_certificates_from_both_kinds_of_files(string system)
    {
        using var certificates = new TestCertificates();
        using GarnetProcess garnet = Start(
            system,
            "--save",
            "",
            "--tls-auth-clients",
            "no",
            "--tls-cert-file",
            certificates.CertFile,
            "--tls-key-file",
            certificates.KeyFile
        );
        using RespExchange admin = garnet.Connect();
        IPEndPoint endPoint = OpenTls(admin);
        using (var client = TlsClient.Connect(endPoint, certificates.Authority))
        {
            Assert.Equal("+OK", client.Execute("SET", "k", new string('v', 100_000)));
            Assert.Equal(new string('v', 100_000), client.Execute("GET", "k"));
        }

        string pfx = certificates.WritePfx("secret");
        Assert.Equal(
            "+OK\r\n",
            admin.ExecuteText("CONFIG", "SET", "tls-cert-file", "", "tls-key-file", "", "tls-pfx-file", pfx, "tls-key-file-pass", "secret")
        );
        using (var client = TlsClient.Connect(endPoint, certificates.Authority))
            Assert.Equal(":100000", client.Execute("STRLEN", "k"));

        string answer = admin.ExecuteText("CONFIG", "SET", "tls-ciphersuites", "TLS_AES_128_GCM_SHA256");
        if (system == "windows")
            Assert.Contains("the system alone says which cipher suites are used", answer, StringComparison.Ordinal);
        else
            Assert.Equal("+OK\r\n", answer);
    }

    [Theory]
    [MemberData(nameof(Systems))]
    public void Settings_are_written_and_read_back(string system)
    {
        string file = Path.Combine(_folder, "garnet.conf");
        File.WriteAllText(file, "# mine\r\nsave \"\"\r\n");
        using (GarnetProcess garnet = Start(system, file))
        using (RespExchange client = garnet.Connect())
        {
            Assert.Equal("+OK\r\n", client.ExecuteText("CONFIG", "SET", "maxmemory", "100mb"));
            Assert.Equal("+OK\r\n", client.ExecuteText("CONFIG", "REWRITE"));
        }

        Assert.Contains("maxmemory 100mb\r\n", File.ReadAllText(file), StringComparison.Ordinal);
        using GarnetProcess again = Start(system, file);
        using RespExchange reader = again.Connect();
        Assert.Contains("104857600", reader.ExecuteText("CONFIG", "GET", "maxmemory"), StringComparison.Ordinal);
    }

    [Fact]
    public void An_unknown_system_is_rejected()
    {
        var run = ClientProcess.Run(
            "/usr/bin/env",
            ["GARNET_SYSTEM=beos", .. GarnetProcess.Tool, "--port", "0", "--unixsocket", Path.Combine(_folder, "s"), "--dir", _folder]
        );
        Assert.Equal(1, run.ExitCode);
        Assert.Equal("garnet: GARNET_SYSTEM beos: not a system that can be simulated here (allowed: windows, macos)", run.Output.TrimEnd());
    }

    private GarnetProcess Start(string system, params string[] options) =>
        GarnetProcess.StartIn(_folder, [new("GARNET_SYSTEM", system)], options);

    // Small and large values, packed and large collections of every kind, expiries.
    private static void Fill(RespExchange client)
    {
        for (int i = 0; i < 200; i++)
        {
            string n = i.ToString(CultureInfo.InvariantCulture);
            client.ExecuteText("SET", "small:" + n, n, "PXAT", "4000000000000");
            client.ExecuteText("SET", "block:" + n, new string((char)('a' + (i % 26)), 16_000 + (i * 997)));
            client.ExecuteText("RPUSH", "packed:" + n, "a", n, "c");
        }

        for (int key = 0; key < 4; key++)
        {
            for (int from = 0; from < 4000; from += 500)
            {
                string[] members = [.. Enumerable.Range(from, 500).Select(static i => "f" + i)];
                client.ExecuteText(["HSET", $"hash:{key}", .. members.SelectMany(static m => new[] { m, m + m })]);
                client.ExecuteText(["ZADD", $"sorted:{key}", .. members.SelectMany(static m => new[] { m[1..], m })]);
                client.ExecuteText(["SADD", $"set:{key}", .. members]);
                client.ExecuteText(["RPUSH", $"list:{key}", .. members]);
                client.ExecuteText("XADD", $"stream:{key}", $"{from + 1}-1", "f", members[0]);
            }
        }
    }

    private static void Change(RespExchange client)
    {
        for (int i = 0; i < 200; i += 3)
        {
            string n = i.ToString(CultureInfo.InvariantCulture);
            client.ExecuteText("SETRANGE", "block:" + n, "5", "changed");
            client.ExecuteText("DEL", "small:" + n);
            client.ExecuteText("HDEL", "hash:1", "f" + n);
            client.ExecuteText("LSET", "list:2", n, "changed");
            client.ExecuteText("ZINCRBY", "sorted:0", "0.5", "f" + n);
        }

        client.ExecuteText("DEL", "hash:2", "set:1");
    }

    private static string Bulk(string reply) => reply[(reply.IndexOf('\n', StringComparison.Ordinal) + 1)..^2];

    // The system chooses a free port; if another program takes it in between, tries the next.
    private static IPEndPoint OpenTls(RespExchange admin)
    {
        string answer = "";
        for (int attempt = 0; attempt < 20; attempt++)
        {
            using var probe = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
            probe.Bind(new IPEndPoint(IPAddress.Loopback, 0));
            var endPoint = (IPEndPoint)probe.LocalEndPoint!;
            probe.Dispose();
            answer = admin.ExecuteText("CONFIG", "SET", "tls-port", endPoint.Port.ToString(CultureInfo.InvariantCulture));
            if (answer == "+OK\r\n")
                return endPoint;
        }

        throw new InvalidOperationException(answer);
    }
}
