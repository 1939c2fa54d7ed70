// One of a few words. Immutable, any thread.
using System.Runtime.CompilerServices;

namespace Garnet.Server.Configuration;

/// <summary>An option that is one of a few words.</summary>
public sealed class EnumOption<T>(
    string name,
    Func<GarnetOptions, T> get,
    Action<GarnetOptions, T> set,
    (string Word, T Value)[] words,
    [CallerArgumentExpression(nameof(get))] string getter = ""
) : OptionDescriptor(name, getter)
    where T : struct, Enum
{
    /// <inheritdoc/>
    public override string Allowed => string.Join('|', words.Select(word => word.Word));

    /// <inheritdoc/>
    public override string? TrySet(GarnetOptions options, IReadOnlyList<string> arguments)
    {
        if (arguments.Count != 1)
            return "wrong number of arguments";
        foreach ((string word, T value) in words)
        {
            if (!word.Equals(arguments[0], StringComparison.OrdinalIgnoreCase))
                continue;
            set(options, value);
            return null;
        }
        return "argument(s) must be one of the following: " + string.Join(", ", words.Select(word => word.Word));
    }

    /// <inheritdoc/>
    public override string Format(GarnetOptions options)
    {
        T current = get(options);
        foreach ((string word, T value) in words)
        {
            if (EqualityComparer<T>.Default.Equals(value, current))
                return word;
        }
        // A number cast to the type: refused, under this text, before a server is made of it.
        return current.ToString();
    }
}
