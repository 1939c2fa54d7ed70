// The address of a primary as two words. Immutable, any thread.
using System.Runtime.CompilerServices;

namespace Garnet.Server.Configuration;

/// <summary>An option <c>replicaof host port</c>; <c>no one</c>, or an empty text, means none.</summary>
internal sealed class ReplicaOfOption(
    Func<GarnetOptions, string> get,
    Action<GarnetOptions, string> set,
    [CallerArgumentExpression(nameof(get))] string getter = ""
) : OptionDescriptor("replicaof", getter)
{
    /// <inheritdoc/>
    public override string Allowed => "<host> <port> | no one";

    /// <inheritdoc/>
    public override bool TakesSeveral => true;

    /// <inheritdoc/>
    public override string? TrySet(GarnetOptions options, IReadOnlyList<string> arguments)
    {
        string text = string.Join(' ', arguments).Trim();
        if (text.Length == 0 || text.Equals("no one", StringComparison.OrdinalIgnoreCase))
            text = "";
        else if (!PrimaryAddress.TryParse(text, out _, out _))
            return "argument must be a host and a port";
        set(options, text);
        return null;
    }

    /// <inheritdoc/>
    public override string Format(GarnetOptions options) => get(options);

    /// <inheritdoc/>
    public override IEnumerable<(string Line, bool Forced)> Lines(GarnetOptions options, GarnetOptions defaults)
    {
        string value = get(options);
        if (value.Length > 0)
            yield return ($"{Name} {value}", true);
    }
}
