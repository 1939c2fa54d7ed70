// A Lua script with named parameters. Immutable; any thread.
using Garnet.Hosting.InProcess;

namespace Garnet;

/// <summary>
/// A script in which <c>@name</c> stands for a parameter: <c>return redis.call('INCRBY', @key, @amount)</c>. Prepare it once and keep it,
/// for example in a static field: calls then name it by its hash, so that its text is neither sent nor compiled again.
/// </summary>
/// <remarks>
/// A call gives the values as the properties of an object: <c>garnet.Eval(script, new { key = (GarnetKey)"visits", amount = 2 })</c>. Those
/// of type <see cref="GarnetKey"/> are keys of the script (KEYS), others are arguments (ARGV). Names in strings and comments of the
/// script are left as they are.
/// </remarks>
public sealed class GarnetScript
{
    private GarnetScript(string text, NamedScript code) => (Text, Code) = (text, code);

    /// <summary>The script as it was given.</summary>
    public string Text { get; }

    /// <summary>The names of its parameters, in the order in which they appear first.</summary>
    public IReadOnlyList<string> Parameters => Code.Names;

    internal NamedScript Code { get; }

    /// <summary>Finds the parameters of a script.</summary>
    public static GarnetScript Prepare(string text)
    {
        ArgumentException.ThrowIfNullOrEmpty(text);
        return new GarnetScript(text, new NamedScript(text));
    }
}
