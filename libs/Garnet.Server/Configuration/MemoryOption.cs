// A number of bytes within bounds. Immutable, any thread.
using System.Globalization;
using System.Runtime.CompilerServices;
using Garnet.Server.Basics;

namespace Garnet.Server.Configuration;

/// <summary>An option whose value is a size in bytes, written plainly or with a unit (<see cref="MemorySize"/>).</summary>
internal sealed class MemoryOption(
    string name,
    Func<GarnetOptions, long> get,
    Action<GarnetOptions, long> set,
    long min,
    long max,
    [CallerArgumentExpression(nameof(get))] string getter = ""
) : OptionDescriptor(name, getter)
{
    private const long MaxPercent = 100;

    /// <summary>How a percentage is interpreted.</summary>
    public PercentRule Percent { get; init; }

    /// <inheritdoc/>
    public override string Allowed =>
        Percent != PercentRule.None ? "a size or a percentage"
        : max == long.MaxValue ? $"a size of at least {MemorySize.Format(min)}"
        : $"{MemorySize.Format(min)} to {MemorySize.Format(max)}";

    /// <inheritdoc/>
    public override string? TrySet(GarnetOptions options, IReadOnlyList<string> arguments)
    {
        if (arguments.Count != 1)
            return "wrong number of arguments";
        if (Percent != PercentRule.None && arguments[0].EndsWith('%'))
            return TrySetPercent(options, arguments[0].AsSpan()[..^1]);
        if (!MemorySize.TryParse(arguments[0], out ulong bytes))
            return Percent == PercentRule.Kept ? "argument must be a memory or percent value" : "argument must be a memory value";
        if (bytes > (ulong)max || (long)bytes < min)
            return string.Create(CultureInfo.InvariantCulture, $"argument must be between {min} and {max} inclusive");
        set(options, (long)bytes);
        return null;
    }

    /// <inheritdoc/>
    public override string Format(GarnetOptions options) =>
        get(options) is < 0 and long percent
            ? string.Create(CultureInfo.InvariantCulture, $"{-percent}%")
            : get(options).ToString(CultureInfo.InvariantCulture);

    /// <inheritdoc/>
    public override IEnumerable<(string Line, bool Forced)> Lines(GarnetOptions options, GarnetOptions defaults)
    {
        string value = get(options) < 0 ? Format(options) : MemorySize.Format(get(options));
        yield return ($"{Name} {value}", get(options) != get(defaults));
    }

    private string? TrySetPercent(GarnetOptions options, ReadOnlySpan<char> text)
    {
        if (!long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out long percent))
            return "argument must be a memory or percent value";
        if (percent > MaxPercent)
            return string.Create(CultureInfo.InvariantCulture, $"percentage argument must be less or equal to {MaxPercent}");
        if (Percent == PercentRule.OfMachine && MachineMemory.LimitBytes == 0)
            return "a percentage requires a system that reports the amount of memory";
        set(options, Percent == PercentRule.Kept ? -percent : (long)(MachineMemory.LimitBytes / 100.0 * percent));
        return null;
    }
}
