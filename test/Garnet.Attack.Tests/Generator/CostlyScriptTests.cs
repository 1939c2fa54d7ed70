// Scripts with large operands and endless loops: can others always end them, and what do they cost them? A slice always, hours when asked.
using System.Diagnostics;
using System.Text;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Attack.Tests.Generator;

public sealed class CostlyScriptTests(ITestOutputHelper output)
{
    private const string BusyMs = "50";
    private const string MemoryLimit = "64mb";
    private const long MemoryLimitBytes = 64L << 20;

    // A script that runs longer is ended.
    private static readonly TimeSpan Patience = TimeSpan.FromMilliseconds(200);

    // What any machine, however busy, takes to let a client in.
    private static readonly TimeSpan AnyWait = TimeSpan.FromSeconds(20);

    /// <summary>Times and memory decide only in the full run, where each is the least of several; elsewhere what must hold anywhere.</summary>
    [Fact]
    public void Every_script_can_be_ended_and_costs_others_little()
    {
        int seed = TestSeed.Choose(output, 1);
        using AttackedServer server = AttackedServer.StartGarnet("--busy-reply-threshold", BusyMs, "--script-memory-limit", MemoryLimit);
        Fill(server);
        List<string> offenders = [];
        long start = Stopwatch.GetTimestamp();
        int tried = 0;
        for (; Stopwatch.GetElapsedTime(start) < FaultScale.FuzzTime; tried++)
        {
            string script = new ScriptGenerator(unchecked(seed + tried)).Next();
            if (Try(server, script) is { } offender)
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

    private static string? Try(AttackedServer server, string script)
    {
        string? offender = TryOnce(server, script);
        // Noise only adds, and what is compiled for the first time takes longer.
        for (int i = 0; i < 3 && offender is not null && FaultScale.IsFull; i++)
            offender = TryOnce(server, script);
        return offender;
    }

    private static string? TryOnce(AttackedServer server, string script)
    {
        using RespExchange victim = server.Connect();
        using RespExchange killer = server.Connect();
        server.ResetPeak();
        long resident = server.ResidentBytes;
        long begin = Stopwatch.GetTimestamp();
        victim.Send(RespExchange.Encode([.. new[] { "EVAL_RO", script, "0" }.Select(Encoding.Latin1.GetBytes)]));
        var reply = Task.Run(victim.ReadReply);
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
                Assert.Fail($"the script cannot be ended ({last}): {script}");
            Thread.Sleep(5);
        }

        Assert.NotNull(reply.GetAwaiter().GetResult());
        long bytes = server.PeakResidentBytes - resident - MemoryLimitBytes;
        if (!FaultScale.IsFull)
            return null;
        TimeSpan allowed =
            TimeSpan.FromMilliseconds(int.Parse(BusyMs, System.Globalization.CultureInfo.InvariantCulture)) + AttackCost.MaxWait;
        return longest > allowed || bytes > AttackCost.MaxBytes
            ? $"others wait {longest.TotalMilliseconds:F0} ms, memory +{bytes >> 20} MB beyond the limit"
            : null;
    }
}
