// What one attack cost a server, seen from outside. Immutable.
namespace Garnet.Attack.Tests;

/// <summary>The measured cost of an attack.</summary>
/// <param name="Processor">Processor time of all the server's threads.</param>
/// <param name="LongestWait">The longest time another client waited for a small command.</param>
/// <param name="PeakGrowthBytes">By how much the highest resident memory passed that before the attack.</param>
internal sealed record AttackCost(TimeSpan Processor, TimeSpan LongestWait, long PeakGrowthBytes)
{
    /// <inheritdoc/>
    public override string ToString() =>
        $"processor {Processor.TotalMilliseconds:F0} ms, others wait {LongestWait.TotalMilliseconds:F1} ms, memory +{PeakGrowthBytes >> 20} MB";

    /// <summary>Runs an attack beside an onlooker and measures it.</summary>
    public static AttackCost Of(AttackedServer server, Action<AttackedServer> attack)
    {
        using var onlooker = new OnlookerClient(server);
        server.ResetPeak();
        long resident = server.ResidentBytes;
        TimeSpan before = server.ProcessorTime;
        onlooker.Restart();
        attack(server);

        // The onlooker notes a wait when it is over.
        Thread.Sleep(50);
        return new AttackCost(server.ProcessorTime - before, onlooker.LongestWait, Math.Max(0, server.PeakResidentBytes - resident));
    }
}
