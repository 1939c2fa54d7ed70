// One attack by commands, run on Garnet and, where it is installed, on Valkey. One thread beside the onlooker's.
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Attack.Tests;

/// <summary>
/// Holds a command to the rule for a request: no other client waits more than 100 ms and no more than 64 MB are taken beyond its own data,
/// unless Valkey's does the same. Waiting times decide in full runs alone. Processor time is compared with a bound so generous that only
/// another order of growth breaks it.
/// </summary>
internal static class CommandAttack
{
    private const long AllowedBytes = 64L << 20;
    private const int AllowedRatio = 10;
    private static readonly TimeSpan AllowedWait = TimeSpan.FromMilliseconds(100);

    // What the runtime compiles while an attack runs, on a busy machine.
    private static readonly TimeSpan Compilation = TimeSpan.FromMilliseconds(800);

    /// <summary>Prepares and attacks both servers, prints what it cost, and asserts the rule.</summary>
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
                valkey = Cost(output, name, server, prepare, attack);
        }

        using var garnet = AttackedServer.StartGarnet(arguments);
        AttackCost cost = Cost(output, name, garnet, prepare, attack);
        Assert.True(cost.PeakGrowthBytes <= (valkey?.PeakGrowthBytes ?? 0) + AllowedBytes, $"{name}: {cost}; Valkey: {valkey}");
        if (valkey is null)
            return;
        Assert.True(cost.Processor <= (AllowedRatio * valkey.Processor) + Compilation, $"{name}: {cost}; Valkey: {valkey}");
        if (FaultScale.IsFull)
        {
            Assert.True(
                cost.LongestWait <= AllowedWait || cost.LongestWait <= valkey.LongestWait * 1.2,
                $"{name}: {cost}; Valkey: {valkey}"
            );
        }
    }

    private static AttackCost Cost(
        ITestOutputHelper output,
        string name,
        AttackedServer server,
        Action<AttackedServer> prepare,
        Action<AttackedServer> attack
    )
    {
        prepare(server);
        attack(server);
        var cost = AttackCost.Of(server, attack);
        output.WriteLine($"{name}, {server.Name}: {cost}");
        return cost;
    }
}
