// Both ends of every numeric option's range, at the start and by CONFIG SET: the server must work with each. One process a test.
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Text.RegularExpressions;
using Garnet.Server.Configuration;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Attack.Tests.Options;

public sealed partial class OptionRangeTests(ITestOutputHelper output)
{
    // Endpoints are chosen by the test; a certificate would be needed for TLS.
    private static readonly string[] Endpoints = ["port", "tls-port", "metrics-port"];

    // With these the server may rightly refuse what the probe does.
    private static readonly string[] Refusing =
    [
        "maxclients",
        // Needs maxmemory.
        "maxdisk",
        "maxmemory",
        "maxmemory-clients",
        "timeout",
        "client-query-buffer-limit",
        "min-replicas-to-write",
    ];

    [Fact]
    public void The_server_works_with_both_ends_of_every_range_set_while_it_runs()
    {
        using var process = GarnetProcess.Start();
        IPEndPoint tcp;
        using (RespExchange first = process.Connect())
            tcp = OpenTcp(first);
        var failures = new List<string>();
        foreach (
            (OptionDescriptor option, string initial, string end) in Ends().Where(static row => row.Option.Mutability == Mutability.Runtime)
        )
        {
            using RespExchange admin = process.Connect();
            string set = admin.ExecuteText("CONFIG", "SET", option.Name, end);
            // The system's limit of open files is not the option's range.
            bool isRefusedBySystem =
                option.Name == "maxclients" && set.Contains("The operating system is not able", StringComparison.Ordinal);
            string? problem =
                set == "+OK\r\n" ? Probe(tcp, option.Name)
                : isRefusedBySystem ? null
                : set;
            if (problem is not null)
                failures.Add($"{option.Name} {end}: {problem}");
            string reset = admin.Execute("CONFIG", "SET", option.Name, initial) is { } reply ? Encoding.UTF8.GetString(reply) : "closed";
            if (reset != "+OK\r\n")
                failures.Add($"{option.Name} back to {initial}: {reset}");
        }

        Assert.Null(Probe(tcp, ""));
        AssertEndsWell(process, failures);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void The_server_starts_with_the_ends_of_all_ranges(bool greatest)
    {
        List<string> arguments = [];
        foreach (
            IGrouping<string, (OptionDescriptor Option, string Initial, string End)> ends in Ends()
                .Where(static row => !Refusing.Contains(row.Option.Name))
                .GroupBy(static row => row.Option.Name)
        )
        {
            arguments.AddRange([$"--{ends.Key}", greatest ? ends.Last().End : ends.First().End]);
        }
        using var process = GarnetProcess.Start([.. arguments]);
        using RespExchange admin = process.Connect();
        IPEndPoint tcp = OpenTcp(admin);
        var failures = new List<string>();
        if (Probe(tcp, "") is { } problem)
            failures.Add(problem);
        AssertEndsWell(process, failures);
    }

    [Fact]
    public void Values_out_of_range_are_refused_with_the_range_and_change_nothing()
    {
        using var process = GarnetProcess.Start();
        using RespExchange admin = process.Connect();
        var tried = new List<string>();
        foreach ((OptionDescriptor option, string initial, string end) in Ends())
        {
            Assert.True(MemorySize.TryParse(end.TrimStart('-'), out ulong size), end);
            Int128 bound = end[0] == '-' ? -(Int128)size : size;
            Int128 beyond = tried.LastOrDefault() == option.Name ? bound + 1 : bound - 1;
            tried.Add(option.Name);
            // Before the start as well, where the command line and files are read.
            string text = beyond.ToString(CultureInfo.InvariantCulture);
            string? refusal = option.TrySet(new GarnetOptions(), [text]);
            Assert.True(refusal is not null, $"{option.Name} takes {text}");
            if (option.Mutability != Mutability.Runtime)
                continue;
            Assert.Equal(
                $"-ERR CONFIG SET failed (possibly related to argument '{option.Name}') - {refusal}\r\n",
                admin.ExecuteText("CONFIG", "SET", option.Name, text)
            );
            if (initial.Length > 0)
            {
                string shown = admin.ExecuteText("CONFIG", "GET", option.Name);
                Assert.True(shown.Contains($"\r\n{initial}\r\n", StringComparison.Ordinal), $"{option.Name} {initial}: {shown}");
            }
        }

        Assert.Equal(2, tried.Count(static name => name == "proto-max-bulk-len"));
        Assert.True(tried.Count > 100, $"{tried.Count}");
    }

    private static IEnumerable<(OptionDescriptor Option, string Initial, string End)> Ends()
    {
        var defaults = new GarnetOptions();
        foreach (OptionDescriptor option in OptionTable.All.Where(static option => !Endpoints.Contains(option.Name)))
        {
            if (option is MemoryOption)
            {
                Match sizes = Sizes().Match(option.Allowed);
                yield return (option, option.Format(defaults), sizes.Success ? sizes.Groups["least"].Value : "0");
                yield return (
                    option,
                    option.Format(defaults),
                    sizes.Groups["most"] is { Success: true } most ? most.Value : "9223372036854775807"
                );
            }
            else if (option is IntegerOption or DelayOption)
            {
                Match range = Range().Match(option.Allowed);
                Assert.True(range.Success, option.Allowed);
                yield return (option, option.Format(defaults), range.Groups["least"].Value);
                yield return (option, option.Format(defaults), range.Groups["most"].Value);
            }
        }
    }

    // What a client does: connects, stores a small, a large and a collection value, reads, waits, has it saved, and asks how things are.
    private static string? Probe(IPEndPoint tcp, string option)
    {
        try
        {
            using var client = RespExchange.Connect(tcp);
            string pong = client.ExecuteText("PING");
            if (option == "maxclients" && pong.StartsWith("-ERR max number of clients", StringComparison.Ordinal))
                return null;
            string[] replies =
            [
                pong,
                client.ExecuteText("SET", "small", "v", "EX", "100"),
                client.ExecuteText("SET", "large", new string('x', 40_000)),
                client.ExecuteText("RPUSH", "list", "a", "b", new string('y', 100)),
                client.ExecuteText("XADD", "stream", "*", "f", "v"),
                client.ExecuteText("ZADD", "zset", "1", "a", "2", "b"),
                client.ExecuteText("PFADD", "hll", "a", "b", "c"),
                client.ExecuteText("STRLEN", "large"),
                client.ExecuteText("OBJECT", "ENCODING", "list"),
                client.ExecuteText("SCAN", "0"),
                client.ExecuteText("BLPOP", "absent", "0.01"),
                client.ExecuteText("SAVE"),
                client.ExecuteText("INFO", "everything"),
                client.ExecuteText("CLIENT", "LIST"),
                client.ExecuteText("FLUSHALL"),
            ];
            string? error = replies.FirstOrDefault(static reply => reply.StartsWith('-'));
            return error is not null && !Refusing.Contains(option) ? error : null;
        }
        catch (Exception e) when (e is IOException or SocketException)
        {
            return Refusing.Contains(option) ? null : e.Message;
        }
    }

    // A port that was free a moment before; another process may take it first, so others are tried.
    private static IPEndPoint OpenTcp(RespExchange admin)
    {
        for (int tries = 0; ; tries++)
        {
            using var free = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
            free.Bind(new IPEndPoint(IPAddress.Loopback, 0));
            var endpoint = (IPEndPoint)free.LocalEndPoint!;
            free.Close();
            string reply = admin.ExecuteText(
                "CONFIG",
                "SET",
                "port",
                endpoint.Port.ToString(CultureInfo.InvariantCulture),
                "bind",
                "127.0.0.1"
            );
            if (reply == "+OK\r\n")
                return endpoint;
            Assert.True(tries < 20, reply);
        }
    }

    private void AssertEndsWell(GarnetProcess process, List<string> failures)
    {
        process.Signal("TERM");
        int exitCode = process.WaitForExit(TimeSpan.FromSeconds(30));
        if (failures.Count > 0 || exitCode != 0)
            output.WriteLine(process.Output);
        Assert.True(failures.Count == 0, string.Join(Environment.NewLine, failures));
        Assert.Equal(0, exitCode);
        Assert.DoesNotContain("xception", process.Output, StringComparison.Ordinal);
    }

    [GeneratedRegex(@"(?<least>-?\d+) to (?<most>\d+)$")]
    private static partial Regex Range();

    [GeneratedRegex(@"^(a size of at least )?(?<least>\d+\w*)( to (?<most>\d+\w*))?$")]
    private static partial Regex Sizes();
}
