// Free text. Immutable, any thread.
using System.Runtime.CompilerServices;

namespace Garnet.Server.Configuration;

/// <summary>An option that is any text.</summary>
internal sealed class StringOption(
    string name,
    Func<GarnetOptions, string> get,
    Action<GarnetOptions, string> set,
    [CallerArgumentExpression(nameof(get))] string getter = ""
) : OptionDescriptor(name, getter)
{
    /// <summary>Whether empty text means an unset option, so that a rewritten file has no line for it.</summary>
    public bool EmptyIsAbsent { get; init; }

    /// <summary>Returns what is wrong with a text; null when it is valid.</summary>
    public Func<string, string?> Check { get; init; } = static _ => null;

    /// <summary>Whether a rewritten file always has a line for it.</summary>
    public bool AlwaysWritten { get; init; }

    /// <inheritdoc/>
    public override string Allowed => "text";

    /// <inheritdoc/>
    public override string? TrySet(GarnetOptions options, IReadOnlyList<string> arguments)
    {
        if (arguments.Count != 1)
            return "wrong number of arguments";
        if (Check(arguments[0]) is { } problem)
            return problem;
        set(options, arguments[0]);
        return null;
    }

    /// <inheritdoc/>
    public override string Format(GarnetOptions options) => get(options);

    /// <inheritdoc/>
    public override IEnumerable<(string Line, bool Forced)> Lines(GarnetOptions options, GarnetOptions defaults)
    {
        string value = get(options);
        if (EmptyIsAbsent && value.Length == 0)
            yield break;
        yield return ($"{Name} {ConfigurationLine.Quote(value)}", AlwaysWritten || value != get(defaults));
    }
}
