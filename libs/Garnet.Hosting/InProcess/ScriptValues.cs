// Reads the parameters of a script from an object of the caller's. Stateless; any thread.
using System.Diagnostics.CodeAnalysis;
using System.Globalization;

namespace Garnet.Hosting.InProcess;

/// <summary>The arguments of EVAL after the script: the number of keys, the keys, the other values.</summary>
internal static class ScriptValues
{
    // Hash and number of keys.
    private const int Fixed = 2;

    private const int MaxStackNames = 64;

    /// <summary>The arguments with the hash of the script; the caller disposes them.</summary>
    /// <exception cref="ArgumentException">A parameter has no property, or one of a type that cannot be an argument.</exception>
    public static ScriptArguments Of<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicProperties)] T>(
        GarnetScript script,
        T parameters,
        out ScriptForm form
    )
    {
        ArgumentNullException.ThrowIfNull(script);
        IReadOnlyList<string> names = script.Parameters;
        Span<char> kinds = names.Count <= MaxStackNames ? stackalloc char[names.Count] : new char[names.Count];
        int keys = 0;
        for (int i = 0; i < kinds.Length; i++)
        {
            bool isKey = Find(parameters, names[i]).IsKey(parameters);
            kinds[i] = isKey ? ScriptForm.Key : ScriptForm.Argument;
            keys += isKey ? 1 : 0;
        }

        form = script.Code.FormFor(kinds);
        ScriptArguments arguments = new(Fixed + names.Count);
        try
        {
            arguments.Add(form.Hash);
            arguments.Add(keys);
            AddAll(ref arguments, names, parameters, kinds, ScriptForm.Key);
            AddAll(ref arguments, names, parameters, kinds, ScriptForm.Argument);
            return arguments;
        }
        catch
        {
            arguments.Dispose();
            throw;
        }
    }

    /// <summary>Adds a value of any type.</summary>
    /// <exception cref="ArgumentException">It is null or of a type that cannot be an argument.</exception>
    public static void Add(ref ScriptArguments arguments, string name, object? value)
    {
        switch (value)
        {
            case GarnetKey key:
                arguments.Add(key.Bytes);
                break;
            case string text:
                arguments.Add(text);
                break;
            case byte[] bytes:
                arguments.Add(bytes);
                break;
            case ReadOnlyMemory<byte> bytes:
                arguments.Add(bytes);
                break;
            case Memory<byte> bytes:
                arguments.Add(bytes);
                break;
            // Lua's numbers are doubles.
            case float number:
                arguments.Add((double)number);
                break;
            case bool isTrue:
                arguments.Add(isTrue ? 1 : 0);
                break;
            case sbyte or byte or short or ushort or int or uint or long or ulong or decimal or double:
                arguments.Add(((IFormattable)value).ToString(format: null, CultureInfo.InvariantCulture));
                break;
            case null:
                throw IsNull(name);
            default:
                throw new ArgumentException(
                    $"The parameter {name} of the script is a {value.GetType().Name}, not a key, text, bytes, a number or a boolean."
                );
        }
    }

    public static ArgumentException IsNull(string name) => new($"The parameter {name} of the script is null.");

    private static void AddAll<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicProperties)] T>(
        ref ScriptArguments arguments,
        IReadOnlyList<string> names,
        T parameters,
        ReadOnlySpan<char> kinds,
        char kind
    )
    {
        for (int i = 0; i < kinds.Length; i++)
        {
            if (kinds[i] == kind)
                Find(parameters, names[i]).AddTo(ref arguments, parameters);
        }
    }

    private static ScriptProperty<T> Find<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicProperties)] T>(
        T parameters,
        string name
    ) =>
        parameters is not null && ScriptProperties<T>.All.TryGetValue(name, out ScriptProperty<T>? found)
            ? found
            : throw new ArgumentException($"The parameters have no property {name}, which the script names.");
}
