// A method that is a command. Immutable after it was read.
using System.Collections.Immutable;
using Microsoft.CodeAnalysis;

namespace Garnet.Modules.Generator;

/// <summary>What is needed to generate the code of one command.</summary>
internal sealed class CommandMethod
{
    private const int MaxNameLength = 32;
    private const int Write = 1;
    private const int ReadOnly = 2;

    private CommandMethod(string name, string method, bool isStatic, int flags)
    {
        Name = name;
        Method = method;
        IsStatic = isStatic;
        Flags = flags;
    }

    /// <summary>The command's name.</summary>
    public string Name { get; }

    /// <summary>The method's name.</summary>
    public string Method { get; }

    /// <summary>Whether the method is static.</summary>
    public bool IsStatic { get; }

    /// <summary>The flags' value.</summary>
    public int Flags { get; }

    /// <summary>Which commands it calls, as the enumeration's value.</summary>
    public int Calls { get; private set; }

    /// <summary>One sentence, or null.</summary>
    public string? Summary { get; private set; }

    /// <summary>Categories of access control, or null.</summary>
    public string? Categories { get; private set; }

    /// <summary>The version that introduced it, or null.</summary>
    public string? Since { get; private set; }

    /// <summary>The parameters after the context.</summary>
    public List<CommandParameter> Parameters { get; } = [];

    /// <summary>Reads a method; adds what is wrong with it to the mistakes.</summary>
    public static CommandMethod Read(IMethodSymbol method, AttributeData attribute, ImmutableArray<Diagnostic>.Builder mistakes)
    {
        string name = attribute.ConstructorArguments[0].Value as string ?? "";
        int flags = attribute.ConstructorArguments.Length > 1 ? (int)(attribute.ConstructorArguments[1].Value ?? 0) : 0;
        var command = new CommandMethod(name, method.Name, method.IsStatic, flags)
        {
            Summary = Named(attribute, "Summary"),
            Since = Named(attribute, "Since"),
            Categories = Named(attribute, "Categories"),
            Calls = attribute.NamedArguments.FirstOrDefault(static pair => pair.Key == "Calls").Value.Value as int? ?? 0,
        };
        Location location = method.Locations[0];
        if (name.Length is 0 or > MaxNameLength || !name.All(ModuleReader.IsNameCharacter) || name.Any(char.IsLower))
            mistakes.Add(Diagnostic.Create(Mistakes.CommandName, location, name));
        if (!IsCommand(method))
        {
            mistakes.Add(Diagnostic.Create(Mistakes.Method, location, method.Name));
            return command;
        }

        command.ReadParameters(method, mistakes);
        bool isOfOneKind = (flags & (Write | ReadOnly)) is Write or ReadOnly;
        if (command.Parameters.Exists(static each => each.IsKey) && !isOfOneKind)
            mistakes.Add(Diagnostic.Create(Mistakes.Flags, location, name));
        return command;
    }

    private static bool IsCommand(IMethodSymbol method) =>
        method is { ReturnsVoid: true, IsGenericMethod: false, IsAsync: false, MethodKind: MethodKind.Ordinary }
        && ModuleReader.IsAccessible(method)
        && method.Parameters.Length > 0
        && method.Parameters[0].RefKind == RefKind.Ref
        && method.Parameters[0].Type.ToDisplayString() == KnownNames.Context;

    private void ReadParameters(IMethodSymbol method, ImmutableArray<Diagnostic>.Builder mistakes)
    {
        HashSet<string> keywords = new(StringComparer.OrdinalIgnoreCase);
        ParameterKind last = ParameterKind.Required;
        foreach (IParameterSymbol symbol in method.Parameters.Skip(1))
        {
            var parameter = CommandParameter.Read(symbol, mistakes);
            if (parameter is null)
                continue;
            bool isInOrder = parameter.Kind >= last && !(parameter.Kind == ParameterKind.List && last != ParameterKind.Required);
            if (!isInOrder || last == ParameterKind.List)
                mistakes.Add(Diagnostic.Create(Mistakes.Order, symbol.Locations[0], symbol.Name));
            if (parameter.Keyword is { } keyword && !keywords.Add(keyword))
                mistakes.Add(Diagnostic.Create(Mistakes.Option, symbol.Locations[0], symbol.Name));
            last = parameter.Kind;
            Parameters.Add(parameter);
        }
    }

    private static string? Named(AttributeData attribute, string name) =>
        attribute.NamedArguments.FirstOrDefault(pair => pair.Key == name).Value.Value as string;
}
