// Reads the parameters of a script from an object of the caller's. Stateless; any thread.
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Reflection;
using System.Text;

namespace Garnet.Hosting.InProcess;

/// <summary>The arguments of EVAL after the script: the number of keys, the keys, the other values.</summary>
internal static class ScriptValues
{
    /// <exception cref="ArgumentException">A parameter has no property, or one of a type that cannot be an argument.</exception>
    public static ReadOnlyMemory<byte>[] Of<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicProperties)] T>(
        LuaScript script,
        T parameters,
        out ScriptForm form
    )
    {
        ArgumentNullException.ThrowIfNull(script);
        IReadOnlyList<string> names = script.Parameters;
        List<ReadOnlyMemory<byte>> keys = [];
        List<ReadOnlyMemory<byte>> arguments = [];
        char[] marks = new char[names.Count];
        for (int i = 0; i < marks.Length; i++)
            marks[i] = Add(names[i], Get(parameters, names[i]), keys, arguments);
        string kinds = new(marks);
        form = script.Code.FormFor(kinds);
        return [form.Hash, Text(keys.Count), .. keys, .. arguments];
    }

    private static char Add(string name, object? value, List<ReadOnlyMemory<byte>> keys, List<ReadOnlyMemory<byte>> arguments)
    {
        if (value is GarnetKey key)
        {
            keys.Add(key.Bytes);
            return ScriptForm.Key;
        }

        arguments.Add(BytesOf(name, value));
        return ScriptForm.Argument;
    }

    private static ReadOnlyMemory<byte> BytesOf(string name, object? value) =>
        value switch
        {
            string text => Encoding.UTF8.GetBytes(text),
            byte[] bytes => bytes,
            ReadOnlyMemory<byte> bytes => bytes,
            Memory<byte> bytes => bytes,
            // Lua's numbers are doubles; "R" loses nothing.
            double number => Text(number),
            float number => Text((double)number),
            bool isTrue => Text(isTrue ? 1 : 0),
            sbyte or byte or short or ushort or int or uint or long or ulong or decimal => Text((IFormattable)value),
            null => throw new ArgumentException($"The parameter {name} of the script is null."),
            _ => throw new ArgumentException(
                $"The parameter {name} of the script is a {value.GetType().Name}, not a key, text, bytes, a number or a boolean."
            ),
        };

    private static object? Get<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicProperties)] T>(
        T parameters,
        string name
    ) =>
        parameters is not null && ScriptProperties<T>.All.TryGetValue(name, out PropertyInfo? found)
            ? found.GetValue(parameters)
            : throw Missing(name);

    private static ArgumentException Missing(string name) => new($"The parameters have no property {name}, which the script names.");

    private static ReadOnlyMemory<byte> Text(IFormattable number) =>
        Encoding.ASCII.GetBytes(number.ToString(format: null, CultureInfo.InvariantCulture));
}
