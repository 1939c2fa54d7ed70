// An integer within bounds, decimal or octal. Immutable, any thread.
using System.Globalization;
using System.Runtime.CompilerServices;

namespace Garnet.Server.Configuration;

/// <summary>An option whose value is an integer.</summary>
internal sealed class IntegerOption(
    string name,
    Func<GarnetOptions, long> get,
    Action<GarnetOptions, long> set,
    long min,
    long max,
    [CallerArgumentExpression(nameof(get))] string getter = ""
) : OptionDescriptor(name, getter)
{
    /// <summary>Whether the number is written in octal, like file modes.</summary>
    public bool Octal { get; init; }

    /// <summary>What one of it means, where the property is a time; null where it is a number.</summary>
    public TimeSpan? Unit { get; init; }

    /// <inheritdoc/>
    public override string Allowed => $"{Text(min)} to {Text(max)}";

    /// <inheritdoc/>
    public override string? TrySet(GarnetOptions options, IReadOnlyList<string> arguments)
    {
        if (arguments.Count != 1)
            return "wrong number of arguments";
        if (!TryParse(arguments[0], out long value))
            return Octal ? "argument couldn't be parsed as an octal number" : "argument couldn't be parsed into an integer";
        if (value < min || value > max)
            return $"argument must be between {Text(min)} and {Text(max)} inclusive";
        set(options, value);
        return null;
    }

    /// <inheritdoc/>
    public override string Format(GarnetOptions options) => Text(get(options));

    private string Text(long value) => Octal ? Convert.ToString(value, 8) : value.ToString(CultureInfo.InvariantCulture);

    private bool TryParse(string text, out long value)
    {
        value = 0;
        if (!Octal)
        {
            // Only one spelling of each number: no plus sign, no leading zeros, no spaces.
            return long.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out value)
                && Text(value).Equals(text, StringComparison.Ordinal);
        }
        if (text.Length is 0 or > 20 || text.AsSpan().ContainsAnyExceptInRange('0', '7'))
            return false;
        value = Convert.ToInt64(text, 8);
        return true;
    }
}
