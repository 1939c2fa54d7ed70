// A property whose value is a parameter of scripts. Immutable; any thread.
using System.Reflection;

namespace Garnet.Hosting.InProcess;

/// <summary>Reads a property and adds its value to the arguments; the common types without boxing.</summary>
internal abstract class ScriptProperty<T>
{
    /// <summary>Whether the value of this object is a key.</summary>
    public abstract bool IsKey(T parameters);

    /// <exception cref="ArgumentException">The value is null or cannot be an argument.</exception>
    public abstract void AddTo(ref ScriptArguments arguments, T parameters);

    public static ScriptProperty<T> Of(PropertyInfo property)
    {
        MethodInfo getter = property.GetMethod!;
        Type type = property.PropertyType;
        // The getter of a structure takes it by reference.
        if (typeof(T).IsValueType)
            return new Reflected(property);
        if (type == typeof(GarnetKey))
            return new Key(getter.CreateDelegate<Func<T, GarnetKey>>());
        if (type == typeof(string))
            return new Text(property.Name, getter.CreateDelegate<Func<T, string?>>());
        if (type == typeof(int))
            return new Number<int>(getter.CreateDelegate<Func<T, int>>());
        if (type == typeof(long))
            return new Number<long>(getter.CreateDelegate<Func<T, long>>());
        return type == typeof(double) ? new Number<double>(getter.CreateDelegate<Func<T, double>>()) : new Reflected(property);
    }

    private sealed class Key(Func<T, GarnetKey> get) : ScriptProperty<T>
    {
        public override bool IsKey(T parameters) => true;

        public override void AddTo(ref ScriptArguments arguments, T parameters) => arguments.Add(get(parameters).Bytes);
    }

    private sealed class Text(string name, Func<T, string?> get) : ScriptProperty<T>
    {
        public override bool IsKey(T parameters) => false;

        public override void AddTo(ref ScriptArguments arguments, T parameters) =>
            arguments.Add(get(parameters) ?? throw ScriptValues.IsNull(name));
    }

    private sealed class Number<TNumber>(Func<T, TNumber> get) : ScriptProperty<T>
        where TNumber : IUtf8SpanFormattable
    {
        public override bool IsKey(T parameters) => false;

        public override void AddTo(ref ScriptArguments arguments, T parameters) => arguments.Add(get(parameters));
    }

    private sealed class Reflected(PropertyInfo property) : ScriptProperty<T>
    {
        public override bool IsKey(T parameters) => property.GetValue(parameters) is GarnetKey;

        public override void AddTo(ref ScriptArguments arguments, T parameters) =>
            ScriptValues.Add(ref arguments, property.Name, property.GetValue(parameters));
    }
}
