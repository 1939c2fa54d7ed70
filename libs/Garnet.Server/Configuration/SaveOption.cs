// The schedule of snapshots. Immutable, any thread.
using System.Globalization;
using System.Runtime.CompilerServices;

namespace Garnet.Server.Configuration;

/// <summary>The <c>save</c> option: pairs of seconds and changes, or nothing for never.</summary>
internal sealed class SaveOption(
    string name,
    Func<GarnetOptions, IReadOnlyList<SavePoint>> get,
    Action<GarnetOptions, IReadOnlyList<SavePoint>> set,
    [CallerArgumentExpression(nameof(get))] string getter = ""
) : OptionDescriptor(name, getter)
{
    /// <inheritdoc/>
    public override bool TakesSeveral => true;

    /// <inheritdoc/>
    public override bool AddsUp => true;

    /// <summary>As in Valkey, no entry: scripts write --save with a list that may be empty.</summary>
    public override string? ValueWhenAlone => "";

    /// <inheritdoc/>
    public override string Allowed => "\"\" | seconds changes [seconds changes ...]";

    /// <inheritdoc/>
    public override string? TrySet(GarnetOptions options, IReadOnlyList<string> arguments)
    {
        // An application's configuration and the environment pass all numbers in one text.
        if (arguments is [{ } single] && single.Contains(' ', StringComparison.Ordinal))
            arguments = single.Split(' ');
        // An empty word at the end clears all entries before it.
        if (arguments is [.., ""])
            arguments = [];
        if (arguments.Count % 2 != 0)
            return "Invalid save parameters";
        var points = new SavePoint[arguments.Count / 2];
        for (int i = 0; i < points.Length; i++)
        {
            if (!TryParse(arguments[2 * i], 1, out long seconds) || !TryParse(arguments[(2 * i) + 1], 0, out long changes))
                return "Invalid save parameters";
            points[i] = new SavePoint(seconds, changes);
        }
        set(options, points);
        return null;
    }

    /// <inheritdoc/>
    public override string Format(GarnetOptions options) => string.Join(' ', get(options));

    /// <inheritdoc/>
    public override IEnumerable<(string Line, bool Forced)> Lines(GarnetOptions options, GarnetOptions defaults)
    {
        string value = Format(options);
        yield return ($"{Name} {(value.Length == 0 ? "\"\"" : value)}", value != Format(defaults));
    }

    private static bool TryParse(string text, long least, out long value) =>
        long.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out value) && value >= least;
}
