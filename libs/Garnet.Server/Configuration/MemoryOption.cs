// A number of bytes within bounds. Immutable, any thread.
using System.Globalization;
using System.Runtime.CompilerServices;

namespace Garnet.Server.Configuration;

/// <summary>An option that is a size in bytes, written plainly or with a unit (<see cref="MemorySize"/>).</summary>
public sealed class MemoryOption(
    string name,
    Func<GarnetOptions, long> get,
    Action<GarnetOptions, long> set,
    long min,
    long max,
    [CallerArgumentExpression(nameof(get))] string getter = "") : OptionDescriptor(name, getter)
{
    /// <inheritdoc/>
    public override string Allowed => max == long.MaxValue ? $"a size of at least {MemorySize.Format(min)}" : $"{MemorySize.Format(min)} to {MemorySize.Format(max)}";

    /// <inheritdoc/>
    public override string? TrySet(GarnetOptions options, IReadOnlyList<string> arguments)
    {
        if (arguments.Count != 1)
            return "wrong number of arguments";
        if (!MemorySize.TryParse(arguments[0], out long value))
            return "argument must be a memory value";
        if (value < min || value > max)
            return string.Create(CultureInfo.InvariantCulture, $"argument must be between {min} and {max} inclusive");
        set(options, value);
        return null;
    }

    /// <inheritdoc/>
    public override string Format(GarnetOptions options) => get(options).ToString(CultureInfo.InvariantCulture);

    /// <inheritdoc/>
    public override IEnumerable<(string Line, bool Forced)> Lines(GarnetOptions options, GarnetOptions defaults)
    {
        yield return ($"{Name} {MemorySize.Format(get(options))}", get(options) != get(defaults));
    }
}
