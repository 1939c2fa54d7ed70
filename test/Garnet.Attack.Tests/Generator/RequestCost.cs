// What one request costs everybody else. Immutable.
namespace Garnet.Attack.Tests.Generator;

/// <summary>Measured around one request.</summary>
/// <param name="Wait">The longest time that another client waited for a small command meanwhile.</param>
/// <param name="Bytes">How far resident memory rose above what it was, its request and its reply left out.</param>
/// <param name="Reply">The beginning of the reply.</param>
internal sealed record RequestCost(TimeSpan Wait, long Bytes, string Reply)
{
    /// <summary>What no request may make another client wait.</summary>
    public static readonly TimeSpan MaxWait = TimeSpan.FromMilliseconds(100);

    /// <summary>What no request may take beyond its own data.</summary>
    public const long MaxBytes = 64L << 20;

    /// <summary>Whether it is too much, whatever others do.</summary>
    public bool IsTooMuch => Wait > MaxWait || Bytes > MaxBytes;

    /// <summary>Whether it is too much, and much more than the other server's.</summary>
    public bool IsWorseThan(RequestCost other) =>
        (Wait > MaxWait && Wait > 1.5 * other.Wait) || (Bytes > MaxBytes && Bytes > 1.5 * other.Bytes);

    /// <summary>The lesser of both figures of two runs: noise only adds.</summary>
    public RequestCost Least(RequestCost other) => new(Wait < other.Wait ? Wait : other.Wait, Math.Min(Bytes, other.Bytes), Reply);

    /// <inheritdoc/>
    public override string ToString() => $"{Wait.TotalMilliseconds:0} ms, {Bytes / (double)(1 << 20):0.0} MB";
}
