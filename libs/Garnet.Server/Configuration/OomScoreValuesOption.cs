// The three numbers of oom-score-adj-values. Immutable, any thread.
using System.Globalization;
using System.Runtime.CompilerServices;

namespace Garnet.Server.Configuration;

/// <summary>An option whose value is one number for a primary, one for a replica and one for a child process.</summary>
internal sealed class OomScoreValuesOption(
    string name,
    Func<GarnetOptions, IReadOnlyList<int>> get,
    Action<GarnetOptions, IReadOnlyList<int>> set,
    [CallerArgumentExpression(nameof(get))] string getter = ""
) : OptionDescriptor(name, getter)
{
    private const int Classes = 3;
    private const int Bound = 2000;

    /// <inheritdoc/>
    public override bool TakesSeveral => true;

    /// <inheritdoc/>
    public override string Allowed => $"{Classes} numbers from -{Bound} to {Bound}";

    /// <inheritdoc/>
    public override string? TrySet(GarnetOptions options, IReadOnlyList<string> arguments)
    {
        if (arguments.Count != Classes)
            return "wrong number of arguments";
        int[] values = new int[Classes];
        for (int i = 0; i < Classes; i++)
        {
            if (
                !int.TryParse(arguments[i], NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out values[i])
                || Math.Abs((long)values[i]) > Bound
            )
            {
                return $"Invalid {Name}, elements must be between -{Bound} and {Bound}.";
            }
        }

        set(options, values);
        return null;
    }

    /// <inheritdoc/>
    public override string Format(GarnetOptions options) => string.Join(' ', get(options));
}
