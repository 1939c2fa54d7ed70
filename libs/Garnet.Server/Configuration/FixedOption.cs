// An option of an unsupported feature. Immutable, any thread.
namespace Garnet.Server.Configuration;

/// <summary>
/// An option that may occur in Valkey's files and has only one valid value here: the one that disables the feature. Any other value
/// requests a feature that this server lacks, and must not be ignored silently.
/// </summary>
internal sealed class FixedOption(string name, string value, Func<string, string?> check) : OptionDescriptor(name, name)
{
    /// <summary>How the error about another value begins.</summary>
    public const string OtherValue = "this server supports";

    /// <summary>Why the server has no other value.</summary>
    public required string Reason { get; init; }

    /// <inheritdoc/>
    public override string Allowed => value.Length == 0 ? "\"\"" : value;

    /// <inheritdoc/>
    public override string? TrySet(GarnetOptions options, IReadOnlyList<string> arguments)
    {
        if (arguments.Count != 1)
            return "wrong number of arguments";
        string text = arguments[0];
        return text.Equals(value, StringComparison.OrdinalIgnoreCase) ? null : check(text) ?? $"{OtherValue} '{value}' only";
    }

    /// <inheritdoc/>
    public override string Format(GarnetOptions options) => value;

    /// <inheritdoc/>
    public override IEnumerable<(string Line, bool Forced)> Lines(GarnetOptions options, GarnetOptions defaults) =>
        [($"{Name} {ConfigurationLine.QuoteIfNeeded(value)}", false)];
}
