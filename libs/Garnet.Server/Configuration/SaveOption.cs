// The schedule of snapshots, of which this version has only "never". Immutable, any thread.
using System.Globalization;
using System.Runtime.CompilerServices;

namespace Garnet.Server.Configuration;

/// <summary>The <c>save</c> option: it can be read, and set to nothing; a schedule is refused, as it would not be kept.</summary>
public sealed class SaveOption(
    string name,
    Func<GarnetOptions, string> get,
    Action<GarnetOptions, string> set,
    [CallerArgumentExpression(nameof(get))] string getter = "") : OptionDescriptor(name, getter)
{
    /// <inheritdoc/>
    public override bool TakesSeveral => true;

    /// <inheritdoc/>
    public override string Allowed => "\"\"";

    /// <inheritdoc/>
    public override string? TrySet(GarnetOptions options, IReadOnlyList<string> arguments)
    {
        if (arguments is [] or [""])
        {
            set(options, "");
            return null;
        }
        return IsSchedule(arguments) ? "this version cannot save; the only value is \"\"" : "Invalid save parameters";
    }

    /// <inheritdoc/>
    public override string Format(GarnetOptions options) => get(options);

    /// <inheritdoc/>
    public override IEnumerable<(string Line, bool Forced)> Lines(GarnetOptions options, GarnetOptions defaults)
    {
        yield return ($"{Name} \"\"", false);
    }

    // save <seconds> <changes> [<seconds> <changes> ...]
    private static bool IsSchedule(IReadOnlyList<string> arguments)
    {
        if (arguments.Count % 2 != 0)
            return false;
        for (int i = 0; i < arguments.Count; i++)
        {
            long least = i % 2 == 0 ? 1 : 0;
            if (!long.TryParse(arguments[i], NumberStyles.None, CultureInfo.InvariantCulture, out long number) || number < least)
                return false;
        }
        return true;
    }
}
