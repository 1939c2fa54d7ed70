// Writes the public members of types as text, one a line, in an order that does not change. Stateless; any thread.
using System.Reflection;
using System.Text;

namespace Garnet.EndToEnd.Tests.Packages;

/// <summary>What an application can call, as C# declares it; without nullability, attributes and values of parameters.</summary>
internal static class PublicApiText
{
    private const BindingFlags Own =
        BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;

    private static readonly Dictionary<Type, string> Keywords = new()
    {
        [typeof(void)] = "void",
        [typeof(object)] = "object",
        [typeof(string)] = "string",
        [typeof(bool)] = "bool",
        [typeof(byte)] = "byte",
        [typeof(char)] = "char",
        [typeof(int)] = "int",
        [typeof(uint)] = "uint",
        [typeof(long)] = "long",
        [typeof(ulong)] = "ulong",
        [typeof(double)] = "double",
        [typeof(float)] = "float",
    };

    public static string Of(IEnumerable<Type> types)
    {
        var text = new StringBuilder();
        foreach (Type type in types.OrderBy(static type => type.FullName, StringComparer.Ordinal))
        {
            text.Append(Kind(type)).Append(' ').Append(type.Namespace).Append('.').Append(Name(type)).Append(Bases(type)).Append('\n');
            foreach (string member in Members(type).Distinct().Order(StringComparer.Ordinal))
                text.Append("    ").Append(member).Append('\n');
        }

        return text.ToString();
    }

    private static string Kind(Type type)
    {
        if (type.IsEnum)
            return "enum";
        if (type.IsInterface)
            return "interface";
        if (typeof(Delegate).IsAssignableFrom(type))
            return "delegate";
        if (type.IsValueType)
            return "struct";
        if (type.IsAbstract)
            return type.IsSealed ? "static class" : "abstract class";
        return type.IsSealed ? "sealed class" : "class";
    }

    private static string Bases(Type type)
    {
        if (type.IsEnum || typeof(Delegate).IsAssignableFrom(type))
            return "";
        IEnumerable<Type> inherited = type.BaseType?.GetInterfaces() ?? [];
        List<string> bases = [.. type.GetInterfaces().Except(inherited).Select(Name).Order(StringComparer.Ordinal)];
        if (type.BaseType is { } parent && parent != typeof(object) && parent != typeof(ValueType))
            bases.Insert(0, Name(parent));
        return bases.Count == 0 ? "" : " : " + string.Join(", ", bases);
    }

    private static IEnumerable<string> Members(Type type)
    {
        if (type.IsEnum)
            return Enum.GetNames(type).Select(name => $"{name} = {Convert.ToInt64(Enum.Parse(type, name), null)}");
        return
        [
            .. type.GetConstructors(Own).Where(IsVisible).Select(static made => $"new({Parameters(made)})"),
            .. type.GetFields(Own).Where(static field => field.IsPublic || field.IsFamily).Select(Field),
            .. type.GetEvents(Own)
                .Where(static raised => IsVisible(raised.AddMethod!))
                .Select(static raised => $"{Prefix(raised.AddMethod!)}event {Name(raised.EventHandlerType!)} {raised.Name}"),
            .. type.GetProperties(Own).Where(static property => property.GetAccessors(nonPublic: true).Any(IsVisible)).Select(Property),
            .. type.GetMethods(Own).Where(static method => IsVisible(method) && IsCalled(method)).Select(Method),
        ];
    }

    private static bool IsVisible(MethodBase member) => member.IsPublic || member.IsFamily || member.IsFamilyOrAssembly;

    // Accessors stand with their property; what records generate says nothing.
    private static bool IsCalled(MethodInfo method) =>
        (!method.IsSpecialName || method.Name.StartsWith("op_", StringComparison.Ordinal))
        && !method.Name.Contains('<', StringComparison.Ordinal);

    private static string Field(FieldInfo field) =>
        $"{(field.IsLiteral ? "const " : field.IsStatic ? "static " : "")}{Name(field.FieldType)} {field.Name}{(field.IsLiteral ? $" = {field.GetRawConstantValue()}" : "")}";

    private static string Property(PropertyInfo property)
    {
        MethodInfo any = property.GetAccessors(nonPublic: true).First(IsVisible);
        string index = property.GetIndexParameters() is { Length: > 0 } indices
            ? $"[{string.Join(", ", indices.Select(static each => Name(each.ParameterType)))}]"
            : "";
        string get = property.GetMethod is { } getter && IsVisible(getter) ? "get; " : "";
        string set =
            property.SetMethod is { } setter && IsVisible(setter)
                ? IsInit(setter)
                    ? "init; "
                    : "set; "
                : "";
        return $"{Prefix(any)}{Name(property.PropertyType)} {property.Name}{index} {{ {get}{set}}}";
    }

    private static bool IsInit(MethodInfo setter) =>
        setter.ReturnParameter.GetRequiredCustomModifiers().Any(static modifier => modifier.Name == "IsExternalInit");

    private static string Method(MethodInfo method)
    {
        string generic = method.IsGenericMethodDefinition ? $"<{string.Join(", ", method.GetGenericArguments().Select(Name))}>" : "";
        return $"{Prefix(method)}{Name(method.ReturnType)} {method.Name}{generic}({Parameters(method)})";
    }

    private static string Prefix(MethodBase method)
    {
        string access = method.IsPublic ? "" : "protected ";
        if (method.IsStatic)
            return access + "static ";
        if (method is MethodInfo { IsVirtual: true, IsFinal: false } info && !info.DeclaringType!.IsInterface)
        {
            return access
                + (
                    info.GetBaseDefinition() != info ? "override "
                    : info.IsAbstract ? "abstract "
                    : "virtual "
                );
        }

        return access;
    }

    private static string Parameters(MethodBase method) =>
        string.Join(
            ", ",
            method
                .GetParameters()
                .Select(static parameter =>
                    $"{(parameter.IsOut ? "out " : parameter.IsIn ? "in " : parameter.ParameterType.IsByRef ? "ref " : "")}{Name(parameter.ParameterType)} {parameter.Name}{(parameter.IsOptional ? " = ..." : "")}"
                )
        );

    private static string Name(Type type)
    {
        if (Keywords.TryGetValue(type, out string? keyword))
            return keyword;
        if (type.IsByRef || type.IsPointer)
            return Name(type.GetElementType()!) + (type.IsPointer ? "*" : "");
        if (type.IsArray)
            return Name(type.GetElementType()!) + "[]";
        if (Nullable.GetUnderlyingType(type) is { } value)
            return Name(value) + "?";
        string outer = type.IsNested && !type.IsGenericParameter ? Name(type.DeclaringType!) + "." : "";
        return type.IsGenericType
            ? $"{outer}{type.Name.Split('`')[0]}<{string.Join(", ", type.GetGenericArguments().Select(Name))}>"
            : outer + type.Name;
    }
}
