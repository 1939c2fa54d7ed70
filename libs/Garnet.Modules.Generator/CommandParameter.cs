// A parameter of a command. Immutable.
using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Garnet.Modules.Generator;

/// <summary>An argument, an option, a key, or all arguments that follow.</summary>
internal sealed class CommandParameter
{
    private static readonly string[] Numbers = ["long", "int", "double"];

    private CommandParameter(IParameterSymbol symbol, string type, ParameterKind kind)
    {
        Name = symbol.Name;
        Type = type;
        QualifiedType = symbol.Type.ToDisplayString(SymbolDisplayFormat.FullyQualifiedFormat);
        Kind = kind;
        Passing = symbol.RefKind switch
        {
            RefKind.Ref => "ref ",
            RefKind.In => "in ",
            _ => "",
        };
    }

    /// <summary>The name.</summary>
    public string Name { get; }

    /// <summary>The type, with its namespace.</summary>
    public string Type { get; }

    /// <summary>The type as it is written in code.</summary>
    public string QualifiedType { get; }

    /// <summary>How it gets its value.</summary>
    public ParameterKind Kind { get; }

    /// <summary>What is written before the argument: ref, in or nothing.</summary>
    public string Passing { get; }

    /// <summary>Whether it has [Key].</summary>
    public bool IsKey { get; private set; }

    /// <summary>The access of a key, as the value of the enumeration.</summary>
    public int Access { get; private set; }

    /// <summary>The keyword of an option.</summary>
    public string? Keyword { get; private set; }

    /// <summary>The default value of an option, as code.</summary>
    public string Default { get; private set; } = "";

    /// <summary>Whether the key is opened before the method is called.</summary>
    public bool IsLatched => IsLatchedKey(Type);

    /// <summary>Reads a parameter; null when it cannot be one of a command, which is added to the mistakes.</summary>
    public static CommandParameter? Read(IParameterSymbol symbol, ImmutableArray<Diagnostic>.Builder mistakes)
    {
        string type = symbol.Type.ToDisplayString();
        AttributeData? key = ModuleReader.Find(symbol, KnownNames.KeyAttribute);
        AttributeData? option = ModuleReader.Find(symbol, KnownNames.OptionAttribute);
        bool isKeyType = IsLatchedKey(type) || KnownNames.ReadOnlyKeys.Contains(type);
        bool isRef = symbol.RefKind is RefKind.Ref or RefKind.In;
        if (isKeyType && key is null)
            return Refuse(Mistakes.MissingKey, symbol, mistakes);
        if (option is not null)
            return ReadOption(symbol, type, option, isRef || key is not null, mistakes);
        bool isList = type == KnownNames.ArgumentList;
        bool isKnown =
            isKeyType
            || ((type == KnownNames.Bytes || isList) && !isRef)
            || (key is null && Numbers.Contains(type) && !isRef && !symbol.HasExplicitDefaultValue);
        if (!isKnown || symbol.RefKind is RefKind.Out)
            return Refuse(Mistakes.ParameterType, symbol, mistakes);
        return new CommandParameter(symbol, type, isList ? ParameterKind.List : ParameterKind.Required)
        {
            IsKey = key is not null,
            Access = key?.ConstructorArguments.FirstOrDefault().Value as int? ?? 0,
        };
    }

    private static CommandParameter? ReadOption(
        IParameterSymbol symbol,
        string type,
        AttributeData option,
        bool isWrong,
        ImmutableArray<Diagnostic>.Builder mistakes
    )
    {
        string keyword = option.ConstructorArguments.FirstOrDefault().Value as string ?? "";
        bool isType = type is "bool" or KnownNames.Bytes || Numbers.Contains(type);
        bool isKeyword = keyword.Length > 0 && keyword.All(ModuleReader.IsNameCharacter) && !keyword.Any(char.IsLower);
        if (isWrong || !isType || !isKeyword || !symbol.HasExplicitDefaultValue)
            return Refuse(Mistakes.Option, symbol, mistakes);
        return new CommandParameter(symbol, type, ParameterKind.Option) { Keyword = keyword, Default = DefaultOf(symbol) };
    }

    private static bool IsLatchedKey(string type) =>
        KnownNames.LatchedKeys.Contains(type) || type.StartsWith(KnownNames.CustomKey, StringComparison.Ordinal);

    private static string DefaultOf(IParameterSymbol symbol) =>
        symbol.ExplicitDefaultValue is { } value
            ? SymbolDisplay.FormatPrimitive(value, quoteStrings: true, useHexadecimalNumbers: false)!
            : "default";

    private static CommandParameter? Refuse(
        DiagnosticDescriptor mistake,
        IParameterSymbol symbol,
        ImmutableArray<Diagnostic>.Builder mistakes
    )
    {
        mistakes.Add(Diagnostic.Create(mistake, symbol.Locations[0], symbol.Name));
        return null;
    }
}
