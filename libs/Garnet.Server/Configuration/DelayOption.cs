// Milliseconds with two special values and a keyword. Immutable, any thread.
using System.Globalization;
using System.Runtime.CompilerServices;

namespace Garnet.Server.Configuration;

/// <summary>An option that is a delay: <c>auto</c>, -1 for none, 0 to yield only, or milliseconds.</summary>
internal sealed class DelayOption(
    string name,
    Func<GarnetOptions, int?> get,
    Action<GarnetOptions, int?> set,
    int max,
    [CallerArgumentExpression(nameof(get))] string getter = ""
) : OptionDescriptor(name, getter)
{
    private const string Automatic = "auto";

    /// <inheritdoc/>
    public override string Allowed => $"auto | -1 to {max.ToString(CultureInfo.InvariantCulture)}";

    /// <inheritdoc/>
    public override string? TrySet(GarnetOptions options, IReadOnlyList<string> arguments)
    {
        if (arguments.Count != 1)
            return "wrong number of arguments";
        if (arguments[0].Equals(Automatic, StringComparison.OrdinalIgnoreCase))
        {
            set(options, null);
            return null;
        }

        if (!int.TryParse(arguments[0], NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out int value))
            return "argument must be 'auto' or an integer";
        if (value < -1 || value > max)
            return $"argument must be 'auto' or between -1 and {max.ToString(CultureInfo.InvariantCulture)} inclusive";
        set(options, value);
        return null;
    }

    /// <inheritdoc/>
    public override string Format(GarnetOptions options) => get(options)?.ToString(CultureInfo.InvariantCulture) ?? Automatic;
}
