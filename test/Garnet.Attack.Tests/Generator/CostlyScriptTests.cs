// Scripts with large operands and endless loops: can others always end them, and what do they cost them? A slice always, hours when asked.
using System.Diagnostics;
using System.Net.Sockets;
using System.Text;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Attack.Tests.Generator;

public sealed class CostlyScriptTests(ITestOutputHelper output)
{
    private const string BusyMs = "50";

    // Until a script counts as slow, others wait for it.
    private static readonly TimeSpan MaxWait = TimeSpan.FromMilliseconds(50) + AttackCost.MaxWait;
    private const string MemoryLimit = "64mb";
    private const long MemoryLimitBytes = 64L << 20;

    // A script that runs longer is ended.
    private static readonly TimeSpan Patience = TimeSpan.FromMilliseconds(200);

    // What any machine, however busy, takes to let a client in.
    private static readonly TimeSpan AnyWait = TimeSpan.FromSeconds(20);

    /// <summary>
    /// Times and memory decide only in the full run, where each is the least of several and less than Valkey's costs nobody too much;
    /// elsewhere what must hold anywhere.
    /// </summary>
    [Fact]
    public void Every_script_can_be_ended_and_costs_others_little()
    {
        int seed = TestSeed.Choose(output, 1);
        using var server = AttackedServer.StartGarnet("--busy-reply-threshold", BusyMs, "--script-memory-limit", MemoryLimit);
        using var valkey = new Comparison();
        Fill(server);
        List<string> offenders = [];
        long start = Stopwatch.GetTimestamp();
        int tried = 0;
        for (; Stopwatch.GetElapsedTime(start) < FaultScale.FuzzTime; tried++)
        {
            string script = new ScriptGenerator(unchecked(seed + tried)).Next();
            if (Try(server, valkey, script) is { } offender)
                offenders.Add($"seed {unchecked(seed + tried)}: {offender}: {script}");
        }

        output.WriteLine($"{tried} scripts");
        foreach (string offender in offenders)
            output.WriteLine(offender);
        Assert.True(tried > 0);
        Assert.True(offenders.Count == 0, string.Join(Environment.NewLine, offenders));
    }

    private static void Fill(AttackedServer server)
    {
        using RespExchange client = server.Connect();
        for (int i = 0; i < 20; i++)
        {
            client.Execute(["RPUSH", "list", .. Enumerable.Range(0, 500).Select(static n => "element:" + n)]);
            client.Execute(["HSET", "hash", .. Enumerable.Range(i * 500, 1000).Select(static n => "field:" + n)]);
        }
    }

    // What is wrong with a script's cost; null if nothing is.
    private static string? Try(AttackedServer server, Comparison valkey, string script)
    {
        AttackCost cost = Measure(server, script, MemoryLimitBytes);
        // Noise only adds, and what is compiled for the first time takes longer.
        for (int i = 0; i < 3 && FaultScale.IsFull && IsTooMuch(cost); i++)
            cost = cost.Least(Measure(server, script, MemoryLimitBytes));
        if (!FaultScale.IsFull || !IsTooMuch(cost))
            return null;
        AttackCost? other = valkey.Measure(script);
        bool isWorse = other is null || (cost.LongestWait > MaxWait && cost.DelaysMoreThan(other)) || cost.TakesMoreThan(other);
        return isWorse ? $"{cost} (Valkey {other?.ToString() ?? "not measured"})" : null;
    }

    private static bool IsTooMuch(AttackCost cost) => cost.LongestWait > MaxWait || cost.Bytes > AttackCost.MaxBytes;

    private static AttackCost Measure(AttackedServer server, string script, long ownBytes)
    {
        using RespExchange victim = server.Connect();
        using RespExchange killer = server.Connect();
        server.ResetPeak();
        long resident = server.ResidentBytes;
        TimeSpan processor = server.ProcessorTime;
        long begin = Stopwatch.GetTimestamp();
        victim.Send(RespExchange.Encode([.. new[] { "EVAL_RO", script, "0" }.Select(Encoding.Latin1.GetBytes)]));
        Task<byte[]?> reply = Task.Run(victim.ReadReply);
        TimeSpan longest = TimeSpan.Zero;
        string last = "";
        while (!reply.IsCompleted)
        {
            bool isKill = Stopwatch.GetElapsedTime(begin) > Patience;
            long asked = Stopwatch.GetTimestamp();
            last = Encoding.Latin1.GetString((isKill ? killer.Execute("SCRIPT", "KILL") : killer.Execute("PING")) ?? []);
            TimeSpan wait = Stopwatch.GetElapsedTime(asked);
            longest = wait > longest ? wait : longest;
            if (Stopwatch.GetElapsedTime(begin) > AnyWait)
                throw new TimeoutException($"the script cannot be ended ({last}): {script}");
            Thread.Sleep(5);
        }

        if (reply.GetAwaiter().GetResult() is null)
            throw new IOException($"the connection was closed: {script}");
        return new AttackCost(server.ProcessorTime - processor, longest, Math.Max(0, server.PeakResidentBytes - resident - ownBytes));
    }

    // The other server, which many of these scripts keep from answering for minutes: then it is replaced, and its cost counts as a day.
    private sealed class Comparison : IDisposable
    {
        private static readonly AttackCost Unbounded = new(TimeSpan.FromDays(1), TimeSpan.FromDays(1), 0);

        private AttackedServer? _server;

        // Null where there is none.
        public AttackCost? Measure(string script)
        {
            _server ??= Start();
            if (_server is null)
                return null;
            try
            {
                return CostlyScriptTests.Measure(_server, script, ownBytes: 0);
            }
            catch (Exception e) when (e is TimeoutException or IOException or SocketException { SocketErrorCode: SocketError.TimedOut })
            {
                Dispose();
                _server = null;
                return Unbounded;
            }
        }

        public void Dispose() => _server?.Dispose();

        private static AttackedServer? Start()
        {
            var server = AttackedServer.TryStartValkey("--busy-reply-threshold", BusyMs);
            if (server is not null)
                Fill(server);
            return server;
        }
    }
}
