// One of a set of keywords. Immutable, any thread.
using System.Runtime.CompilerServices;

namespace Garnet.Server.Configuration;

/// <summary>An option whose value is one of a set of keywords.</summary>
internal sealed class EnumOption<T>(
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
    public override string WordOf(string value)
    {
        foreach ((string word, T member) in words)
        {
            if (member.ToString().Equals(value, StringComparison.OrdinalIgnoreCase))
                return word;
        }

        return value;
    }

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
            // The comparison of enums by their boxes is the same code for all of them.
            if (value.Equals((object)current))
                return word;
        }
        // An undefined enum value from code: it is reported with this text and rejected before a server is created.
        return current.ToString();
    }
}
