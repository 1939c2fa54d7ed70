// What a request or an attack of many cost a server and its other clients, seen from outside. Immutable.
namespace Garnet.Attack.Tests;

/// <summary>A measured cost, and the rule it is held to.</summary>
/// <param name="Processor">Processor time of all the server's threads.</param>
/// <param name="LongestWait">The longest time another client waited for a small command.</param>
/// <param name="Bytes">How far resident memory rose above what it was, without what the attack holds itself, where that is known.</param>
internal sealed record AttackCost(TimeSpan Processor, TimeSpan LongestWait, long Bytes)
{
    /// <summary>What no request may make another client wait.</summary>
    public static readonly TimeSpan MaxWait = TimeSpan.FromMilliseconds(100);

    /// <summary>What no request may take beyond its own data.</summary>
    public const long MaxBytes = 64L << 20;

    // A wait of the other server is noisy itself.
    private const double WaitRatio = 1.5;

    /// <summary>Whether others wait too long, or too much memory is taken, whatever another server does.</summary>
    public bool IsTooMuch => LongestWait > MaxWait || Bytes > MaxBytes;

    /// <summary>Whether it takes too much memory, and the other server (null: there is none) does not.</summary>
    public bool TakesMoreThan(AttackCost? other) => Bytes > MaxBytes + (other?.Bytes ?? 0);

    /// <summary>Whether it makes others wait too long, and the other server does not.</summary>
    public bool DelaysMoreThan(AttackCost other) => LongestWait > MaxWait && LongestWait > WaitRatio * other.LongestWait;

    /// <summary>The lesser of each figure of two runs: noise only adds.</summary>
    public AttackCost Least(AttackCost other) =>
        new(Min(Processor, other.Processor), Min(LongestWait, other.LongestWait), Math.Min(Bytes, other.Bytes));

    /// <inheritdoc/>
    public override string ToString() =>
        $"processor {Processor.TotalMilliseconds:F0} ms, others wait {LongestWait.TotalMilliseconds:F1} ms, memory +{Bytes >> 20} MB";

    private static TimeSpan Min(TimeSpan one, TimeSpan other) => one < other ? one : other;
}
