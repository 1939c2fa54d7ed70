// A yes or a no. Immutable, any thread.
using System.Runtime.CompilerServices;

namespace Garnet.Server.Configuration;

/// <summary>An option that is yes or no.</summary>
internal sealed class BooleanOption(
    string name,
    Func<GarnetOptions, bool> get,
    Action<GarnetOptions, bool> set,
    [CallerArgumentExpression(nameof(get))] string getter = ""
) : OptionDescriptor(name, getter)
{
    /// <summary>Whether the name alone means yes on the command line.</summary>
    public bool IsSwitch { get; init; }

    /// <inheritdoc/>
    public override string? ValueWhenAlone => IsSwitch ? "yes" : null;

    /// <inheritdoc/>
    public override string Allowed => "yes|no";

    /// <inheritdoc/>
    public override string? TrySet(GarnetOptions options, IReadOnlyList<string> arguments)
    {
        if (arguments.Count != 1)
            return "wrong number of arguments";
        bool yes = arguments[0].Equals("yes", StringComparison.OrdinalIgnoreCase);
        if (!yes && !arguments[0].Equals("no", StringComparison.OrdinalIgnoreCase))
            return "argument must be 'yes' or 'no'";
        set(options, yes);
        return null;
    }

    /// <inheritdoc/>
    public override string Format(GarnetOptions options) => get(options) ? "yes" : "no";
}
