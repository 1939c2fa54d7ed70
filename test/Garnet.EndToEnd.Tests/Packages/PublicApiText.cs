// Writes the public members of types as text, one a line, in an order that does not change. Stateless; any thread.
using System.Globalization;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text;

namespace Garnet.EndToEnd.Tests.Packages;

/// <summary>
/// What an application can call, as C# declares it, with nullability and the values of optional parameters; without attributes.
/// </summary>
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
        $"{(field.IsLiteral ? "const " : field.IsStatic ? "static " : "")}{Name(new NullabilityInfoContext().Create(field))} {field.Name}{(field.IsLiteral ? $" = {Value(field.FieldType, field.GetRawConstantValue())}" : "")}";

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
        string required = property.IsDefined(typeof(RequiredMemberAttribute)) ? "required " : "";
        string type = Name(new NullabilityInfoContext().Create(property));
        return $"{Prefix(any)}{required}{type} {property.Name}{index} {{ {get}{set}}}";
    }

    private static bool IsInit(MethodInfo setter) =>
        setter.ReturnParameter.GetRequiredCustomModifiers().Any(static modifier => modifier.Name == "IsExternalInit");

    private static string Method(MethodInfo method)
    {
        string generic = method.IsGenericMethodDefinition ? $"<{string.Join(", ", method.GetGenericArguments().Select(Name))}>" : "";
        string type = Name(new NullabilityInfoContext().Create(method.ReturnParameter));
        return $"{Prefix(method)}{type} {method.Name}{generic}({Parameters(method)}){Constraints(method)}";
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

    private static string Constraints(MethodInfo method) =>
        string.Concat(
            method
                .GetGenericArguments()
                .Where(static type => type.GenericParameterAttributes.HasFlag(GenericParameterAttributes.AllowByRefLike))
                .Select(static type => $" where {type.Name} : allows ref struct")
        );

    private static string Parameters(MethodBase method)
    {
        bool isExtension = method.IsDefined(typeof(ExtensionAttribute));
        return string.Join(", ", method.GetParameters().Select(parameter => Parameter(parameter, isExtension && parameter.Position == 0)));
    }

    private static string Parameter(ParameterInfo parameter, bool isThis)
    {
        string how =
            isThis ? "this "
            : parameter.IsOut ? "out "
            : parameter.IsIn ? "in "
            : parameter.ParameterType.IsByRef ? "ref "
            : parameter.IsDefined(typeof(ParamArrayAttribute)) || parameter.IsDefined(typeof(ParamCollectionAttribute)) ? "params "
            : "";
        string value = parameter.IsOptional ? $" = {Value(parameter.ParameterType, parameter.DefaultValue)}" : "";
        return $"{how}{Name(new NullabilityInfoContext().Create(parameter))} {parameter.Name}{value}";
    }

    private static string Value(Type type, object? value) =>
        value switch
        {
            null => type.IsByRef || (type.IsValueType && Nullable.GetUnderlyingType(type) is null) ? "default" : "null",
            string text => $"\"{text}\"",
            bool truth => truth ? "true" : "false",
            _ when type.IsEnum => $"{Name(type)}.{Enum.GetName(type, value)}",
            _ => Convert.ToString(value, CultureInfo.InvariantCulture)!,
        };

    // With a question mark for each reference that may be null.
    private static string Name(NullabilityInfo info)
    {
        Type type = info.Type.IsByRef ? info.Type.GetElementType()! : info.Type;
        bool isReference = !type.IsValueType && !type.IsGenericParameter && !type.IsPointer;
        bool mayBeNull = info.ReadState == NullabilityState.Nullable || info.WriteState == NullabilityState.Nullable;
        string mark = isReference && mayBeNull ? "?" : "";
        if (type.IsArray)
            return $"{Name(info.ElementType!)}[]{mark}";
        if (!type.IsGenericType || Nullable.GetUnderlyingType(type) is not null || type.IsNested)
            return Name(type) + mark;
        return $"{type.Name.Split('`')[0]}<{string.Join(", ", info.GenericTypeArguments.Select(Name))}>{mark}";
    }

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
