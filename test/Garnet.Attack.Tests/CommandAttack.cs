// One attack by commands, run on Garnet and, where it is installed, on Valkey. One thread beside the onlooker's.
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Attack.Tests;

/// <summary>
/// Holds a command to the rule for a request: no other client waits more than 100 ms and no more than 64 MB are taken beyond its own data,
/// unless Valkey's does the same; on each of our transports. Waiting times decide in full runs alone. Processor time is compared with a
/// bound so generous that only another order of growth breaks it.
/// </summary>
internal static class CommandAttack
{
    private const int AllowedRatio = 10;
    private static readonly string[] TransportNames = ["epoll", "sockets"];

    // What the runtime compiles while an attack runs, on a busy machine.
    private static readonly TimeSpan Compilation = TimeSpan.FromMilliseconds(800);

    /// <summary>How connections are served: by threads that wait in epoll, and by the runtime's sockets.</summary>
    public static TheoryData<string> Transports => [.. TransportNames];

    /// <summary>Prepares and attacks Valkey and ours on both transports, prints what it cost, and asserts the rule.</summary>
    /// <param name="output">Where the figures go.</param>
    /// <param name="name">What is attacked.</param>
    /// <param name="prepare">Puts the data there.</param>
    /// <param name="attack">The attack; run twice, the second run counts, as the first also compiles.</param>
    /// <param name="arguments">Arguments of the servers.</param>
    public static void Compare(
        ITestOutputHelper output,
        string name,
        Action<AttackedServer> prepare,
        Action<AttackedServer> attack,
        params string[] arguments
    )
    {
        AttackCost? valkey = null;
        using (var server = AttackedServer.TryStartValkey(arguments))
        {
            if (server is not null)
                valkey = Measure(output, $"{name}, Valkey", server, prepare, attack);
        }

        foreach (string transport in TransportNames)
        {
            using var garnet = AttackedServer.StartGarnet(["--transport", transport, .. arguments]);
            Judge($"{name}, {transport}", Measure(output, $"{name}, {transport}", garnet, prepare, attack), valkey);
        }
    }

    private static void Judge(string name, AttackCost cost, AttackCost? valkey)
    {
        string figures = $"{name}: {cost}; Valkey: {valkey?.ToString() ?? "not measured"}";
        Assert.False(cost.TakesMoreThan(valkey), figures);
        if (valkey is null)
            return;
        Assert.True(cost.Processor <= (AllowedRatio * valkey.Processor) + Compilation, figures);
        if (FaultScale.IsFull)
            Assert.False(cost.DelaysMoreThan(valkey), figures);
    }

    private static AttackCost Measure(
        ITestOutputHelper output,
        string name,
        AttackedServer server,
        Action<AttackedServer> prepare,
        Action<AttackedServer> attack
    )
    {
        prepare(server);
        attack(server);
        using var meter = new AttackMeter(server);
        meter.Start();
        attack(server);
        AttackCost cost = meter.Stop();
        output.WriteLine($"{name}: {cost}");
        return cost;
    }
}
