// Arguments of the process, turned into settings. One thread, at start.
using System.Reflection;
using System.Reflection.Emit;
using CommandLine;
using Garnet.Hosting;
using Garnet.Server.Configuration;

namespace Garnet.Tool;

/// <summary>
/// Reads <c>garnet [file] [--option value ...]</c>. CommandLineParser wants a class with one attributed property an option.
/// That class is built here, at run time, from <see cref="OptionTable"/>, so that no second list has to be kept in step; it costs
/// about a hundredth of a second. All its properties are text: what a value may be is the table's business, as for every other
/// source.
/// </summary>
internal sealed class CommandLineArguments
{
    private const string FileProperty = "File";
    private const string Hint = "garnet --help all lists all options";

    private static readonly ConstructorInfo NamedOption = typeof(OptionAttribute).GetConstructor([typeof(string)])!;
    private static readonly ConstructorInfo PositionedValue = typeof(ValueAttribute).GetConstructor([typeof(int)])!;

    private readonly List<(string Name, string[] Words)> _settings = [];

    private CommandLineArguments() { }

    /// <summary>Path of the configuration file, or null.</summary>
    public string? FilePath { get; private set; }

    /// <summary>Reads the arguments' form; an <see cref="OptionException"/> says what is wrong with it.</summary>
    public static CommandLineArguments Parse(string[] arguments)
    {
        MethodInfo read = typeof(CommandLineArguments).GetMethod(nameof(Read), BindingFlags.NonPublic | BindingFlags.Static)!;
        return read.MakeGenericMethod(BuildClass()).CreateDelegate<Func<string[], CommandLineArguments>>()(arguments);
    }

    /// <summary>Stores the settings; an <see cref="OptionException"/> says which value is wrong.</summary>
    public void Apply(OptionReader reader)
    {
        foreach ((string name, string[] words) in _settings)
            reader.Set("--" + name, OptionTable.Find(name)!, words);
    }

    private static CommandLineArguments Read<T>(string[] arguments)
    {
        using var parser = new Parser(static settings =>
        {
            settings.CaseSensitive = false;
            settings.AutoHelp = false;
            settings.AutoVersion = false;
            settings.HelpWriter = null;
        });
        ParserResult<T> result = parser.ParseArguments<T>(arguments);
        if (result is NotParsed<T>)
            throw new OptionException(Describe(result.Errors.First()));

        var read = new CommandLineArguments();
        foreach (PropertyInfo property in typeof(T).GetProperties())
        {
            string[] words = ((IEnumerable<string>?)property.GetValue(result.Value))?.ToArray() ?? [];
            if (words.Length > 0 && property.Name != FileProperty)
            {
                read._settings.Add((property.Name, words));
            }
            else if (words.Length > 1)
            {
                throw new OptionException(
                    $"unexpected argument '{words[1]}': options begin with --, and only one configuration file can be named"
                );
            }
            else if (words.Length > 0)
            {
                read.FilePath = words[0];
            }
        }
        return read;
    }

    private static string Describe(Error error) =>
        error switch
        {
            UnknownOptionError unknown =>
                $"unknown option '{unknown.Token}'{Suggestion(unknown.Token)}; a value that begins with - is written --option=value; {Hint}",
            MissingValueOptionError missing => Missing(missing.NameInfo.LongName),
            SequenceOutOfRangeError missing => Missing(missing.NameInfo.LongName),
            RepeatedOptionError repeated => $"--{repeated.NameInfo.LongName} is given twice",
            BadFormatTokenError bad => $"'{bad.Token}' is not understood; {Hint}",
            _ => $"{error.Tag}; {Hint}",
        };

    private static string Missing(string name) => $"--{name} {OptionTable.Find(name)!.Explain("needs a value")}";

    /// <summary>What may have been meant by a name that is no option's, to be put behind it; empty when nothing is near.</summary>
    internal static string Suggestion(string name) => NearestOption.Find(name) is { } near ? $" (did you mean --{near}?)" : "";

    private static Type BuildClass()
    {
        ModuleBuilder module = AssemblyBuilder
            .DefineDynamicAssembly(new AssemblyName("Arguments"), AssemblyBuilderAccess.Run)
            .DefineDynamicModule("Arguments");
        TypeBuilder type = module.DefineType("Arguments", TypeAttributes.Public);
        PropertyInfo atLeast = typeof(OptionAttribute).GetProperty(nameof(OptionAttribute.Min))!;
        PropertyInfo atMost = typeof(OptionAttribute).GetProperty(nameof(OptionAttribute.Max))!;
        foreach ((string name, OptionDescriptor option) in OptionTable.Names)
        {
            // Single values are lists of one, as the parser does not notice that a single value is missing at the end.
            CustomAttributeBuilder attribute = option.TakesSeveral
                ? new CustomAttributeBuilder(NamedOption, [name], [atLeast], [1])
                : new CustomAttributeBuilder(NamedOption, [name], [atLeast, atMost], [1, 1]);
            AddProperty(type, name, attribute);
        }
        AddProperty(type, FileProperty, new CustomAttributeBuilder(PositionedValue, [0]));
        return type.CreateType();
    }

    private static void AddProperty(TypeBuilder type, string name, CustomAttributeBuilder attribute)
    {
        Type valueType = typeof(IEnumerable<string>);
        FieldBuilder field = type.DefineField("value of " + name, valueType, FieldAttributes.Private);
        MethodBuilder getter = type.DefineMethod("get " + name, MethodAttributes.Public, valueType, null);
        ILGenerator code = getter.GetILGenerator();
        code.Emit(OpCodes.Ldarg_0);
        code.Emit(OpCodes.Ldfld, field);
        code.Emit(OpCodes.Ret);

        MethodBuilder setter = type.DefineMethod("set " + name, MethodAttributes.Public, null, [valueType]);
        code = setter.GetILGenerator();
        code.Emit(OpCodes.Ldarg_0);
        code.Emit(OpCodes.Ldarg_1);
        code.Emit(OpCodes.Stfld, field);
        code.Emit(OpCodes.Ret);

        PropertyBuilder property = type.DefineProperty(name, PropertyAttributes.None, valueType, null);
        property.SetGetMethod(getter);
        property.SetSetMethod(setter);
        property.SetCustomAttribute(attribute);
    }
}
