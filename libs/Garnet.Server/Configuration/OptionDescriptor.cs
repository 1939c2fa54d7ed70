// The properties of one option, of any kind. Immutable, any thread.
namespace Garnet.Server.Configuration;

/// <summary>One option: its names, its help text, and how its value is parsed and formatted.</summary>
/// <param name="name">The option's name in lower case, equal to Valkey's if there is one.</param>
/// <param name="getter">
/// The source text of the lambda that reads the property; its last word is the property's name, which thus need not be repeated.
/// </param>
internal abstract class OptionDescriptor(string name, string getter)
{
    /// <summary>The option's name, such as <c>maxmemory-policy</c>.</summary>
    public string Name { get; } = name;

    /// <summary>The property of <see cref="GarnetOptions"/> with the value.</summary>
    public string Property { get; init; } = getter[(getter.LastIndexOf('.') + 1)..];

    /// <summary>Other names of the same option.</summary>
    public IReadOnlyList<string> Aliases { get; init; } = [];

    /// <summary>When the option may change.</summary>
    public Mutability Mutability { get; init; } = Mutability.Immutable;

    /// <summary>Its section in the help text.</summary>
    public required OptionGroup Group { get; init; }

    /// <summary>One sentence for the help text.</summary>
    public required string Help { get; init; }

    /// <summary>Whether the value must stay out of logs.</summary>
    public bool Sensitive { get; init; }

    /// <summary>Whether setting the current value again counts as a change, because the file it names may have changed.</summary>
    public bool IsVolatile { get; init; }

    /// <summary>Whether the value consists of several arguments, as in <c>bind 127.0.0.1 ::1</c>.</summary>
    public virtual bool TakesSeveral => false;

    /// <summary>Whether several lines of a file are combined instead of the last one counting.</summary>
    public virtual bool AddsUp => false;

    /// <summary>Whether the option may be given several times on the command line.</summary>
    public virtual bool MayRepeat => AddsUp;

    /// <summary>The value that the option has on the command line without one; null when it needs one.</summary>
    public virtual string? ValueWhenAlone => null;

    /// <summary>Whether CONFIG GET shows it only by its name, and not with a pattern.</summary>
    public bool IsHidden { get; init; }

    /// <summary>Whether the words of a line of a file are one word of the value.</summary>
    public virtual bool TakesWholeLine => false;

    /// <summary>Whether a word of several may contain spaces, as a path may.</summary>
    public virtual bool HasWordsWithSpaces => false;

    /// <summary>The allowed values, for messages: <c>0 to 65535</c>, <c>yes|no</c>.</summary>
    public abstract string Allowed { get; }

    /// <summary>A problem with a value, for messages; includes the allowed values unless the problem itself states them.</summary>
    internal string Explain(string problem)
    {
        if (this is FixedOption { Reason: var reason } && problem.StartsWith(FixedOption.OtherValue, StringComparison.Ordinal))
            return $"{problem}: {reason}";
        bool saysItself =
            this is StringOption
            || problem.Contains("must be between", StringComparison.Ordinal)
            || problem.Contains("must be one of the following", StringComparison.Ordinal);
        return saysItself ? problem : $"{problem} (allowed: {Allowed})";
    }

    /// <summary>Parses and stores the value; on an error changes nothing and returns the problem, in Valkey's words.</summary>
    public abstract string? TrySet(GarnetOptions options, IReadOnlyList<string> arguments);

    /// <summary>
    /// The option's word for a value that is written as in code, such as <c>AllKeysLru</c>; the text itself where it is no such value.
    /// </summary>
    public virtual string WordOf(string value) => value;

    /// <summary>The value as shown by CONFIG GET.</summary>
    public abstract string Format(GarnetOptions options);

    /// <summary>The words of a value that <see cref="Format"/> returned or CONFIG SET got, as <see cref="TrySet"/> takes them.</summary>
    public IReadOnlyList<string> SplitValue(string value)
    {
        if (!TakesSeveral)
            return [value];
        return value.AsSpan().ContainsAny('"', '\'') && ConfigurationLine.Split(value) is { } words ? words : value.Split(' ');
    }

    /// <summary>
    /// The lines of a configuration file for the value, in order; those without <c>Forced</c> are written only over an older line.
    /// </summary>
    public virtual IEnumerable<(string Line, bool Forced)> Lines(GarnetOptions options, GarnetOptions defaults)
    {
        string value = Format(options);
        yield return ($"{Name} {value}", value != Format(defaults));
    }
}
