// Generates code for the statements of a function. One thread.
using Garnet.Lua.Execution;

namespace Garnet.Lua.Compilation;

/// <summary>Turns the syntax tree of a function into code; nested functions get a generator of their own.</summary>
internal sealed class CodeGenerator(Stack<CodeBuilder> builders, string source, CompilationMeter? meter)
{
    private readonly CodeBuilder _code = builders.TryPop(out CodeBuilder? used) ? used : new CodeBuilder(source, meter);
    private List<Prototype>? _nested;
    private ExpressionGenerator _expressions = null!;
    private List<int>? _breaks;

    public Prototype Generate(FunctionBody body)
    {
        _expressions = new ExpressionGenerator(_code, GenerateNested);
        _code.Line = body.Line;
        foreach (LocalVariable parameter in body.Parameters)
            parameter.Register = _code.Reserve();
        foreach (LocalVariable parameter in body.Parameters)
            BoxIfCaptured(parameter);
        if (body.ArgumentTable is { } argumentTable)
        {
            argumentTable.Register = _code.Reserve();
            if (body.FillsArgumentTable)
                _code.Emit(Opcode.ArgumentTable, argumentTable.Register);
            else
                _code.Emit(Opcode.LoadNil, argumentTable.Register);
            BoxIfCaptured(argumentTable);
        }

        EmitBlock(body.Statements);
        _code.Line = body.EndLine;
        _code.Emit(Opcode.ReturnNothing, 0);
        Prototype built = _code.Build(body, _nested is null ? [] : [.. _nested]);
        builders.Push(_code);
        return built;
    }

    private int GenerateNested(FunctionBody body)
    {
        var generator = new CodeGenerator(builders, source, meter);
        _nested ??= [];
        _nested.Add(generator.Generate(body));
        return _nested.Count - 1;
    }

    private void EmitBlock(Statement[] statements)
    {
        int free = _code.Free;
        foreach (Statement statement in statements)
            EmitStatement(statement);
        _code.Release(free);
    }

    private void EmitStatement(Statement statement)
    {
        _code.Line = statement.Line;
        switch (statement)
        {
            case Statement.Local local:
                EmitLocal(local);
                break;
            case Statement.Assignment assignment:
                EmitAssignment(assignment);
                break;
            case Statement.SingleAssignment assignment:
                EmitSingleAssignment(assignment.Target, assignment.Value, assignment.Line);
                break;
            case Statement.Call call:
                _expressions.EmitMultiple(call.Expression, results: 0);
                break;
            case Statement.LocalFunction function:
                EmitLocalFunction(function);
                break;
            case Statement.Block block:
                EmitBlock(block.Statements);
                break;
            case Statement.If choice:
                EmitIf(choice);
                break;
            case Statement.While loop:
                EmitWhile(loop);
                break;
            case Statement.Repeat loop:
                EmitRepeat(loop);
                break;
            case Statement.NumericFor loop:
                EmitNumericFor(loop);
                break;
            case Statement.GenericFor loop:
                EmitGenericFor(loop);
                break;
            case Statement.Break:
                _code.EmitJump(Opcode.Jump, 0, 0, _breaks!);
                break;
            case Statement.Return result:
                EmitReturn(result);
                break;
        }
    }

    private void BoxIfCaptured(LocalVariable variable)
    {
        if (variable.IsCaptured)
            _code.Emit(Opcode.NewBox, variable.Register);
    }

    private void EmitLocal(Statement.Local local)
    {
        int first = _code.Free;
        _expressions.EmitList(local.Values, local.Variables.Count);
        for (int i = 0; i < local.Variables.Count; i++)
        {
            local.Variables[i].Register = first + i;
            BoxIfCaptured(local.Variables[i]);
        }
    }

    private void EmitLocalFunction(Statement.LocalFunction statement)
    {
        int register = _code.Reserve();
        statement.Variable.Register = register;
        if (!statement.Variable.IsCaptured)
        {
            _expressions.EmitTo(statement.Function, register);
            return;
        }

        _code.Emit(Opcode.LoadNil, register);
        _code.Emit(Opcode.NewBox, register);
        int function = _code.Reserve();
        _expressions.EmitTo(statement.Function, function);
        _code.Emit(Opcode.SetBox, register, function);
        _code.Release(function);
    }

    private void EmitAssignment(Statement.Assignment assignment)
    {
        int free = _code.Free;
        PreparedTarget[] targets = Array.ConvertAll(assignment.Targets, target => PrepareTarget(target, assignment.Targets));
        int first = _code.Free;
        _expressions.EmitList(assignment.Values, targets.Length);
        _code.Line = assignment.Line;
        for (int i = targets.Length - 1; i >= 0; i--)
            Store(targets[i], first + i);
        _code.Release(free);
    }

    private void EmitSingleAssignment(Expression target, Expression value, int line)
    {
        int free = _code.Free;
        if (target is Expression.Local { Variable: { IsCaptured: false } variable } && !ExpressionGenerator.WritesEarly(value))
        {
            _expressions.EmitTo(value, variable.Register, fresh: false);
            return;
        }

        PreparedTarget prepared = PrepareTarget(target, []);
        int register = _expressions.EmitToAny(value);
        _code.Line = target is Expression.Index ? line : _code.Line;
        Store(prepared, register);
        _code.Release(free);
    }

    // Evaluates what the target consists of. A variable that the same statement assigns is copied first.
    private PreparedTarget PrepareTarget(Expression target, Expression[] assigned)
    {
        if (target is not Expression.Index index)
            return new PreparedTarget(target, default, default);
        Operand table = Keep(index.Target, assigned);
        bool isConstant = ExpressionGenerator.IsConstantKey(index.Key);
        Operand key = isConstant ? default : Keep(index.Key, assigned);
        if (isConstant)
            _code.AddKey(index.Key);
        return new PreparedTarget(target, table, key);
    }

    private Operand Keep(Expression expression, Expression[] assigned)
    {
        Operand operand = _expressions.EmitOperand(expression);
        bool conflicts =
            expression is Expression.Local local
            && Array.Exists(assigned, other => other is Expression.Local target && ReferenceEquals(target.Variable, local.Variable));
        if (!conflicts)
            return operand;
        int copy = _code.Reserve();
        _expressions.EmitTo(expression, copy);
        return new Operand(copy, IsBox: false);
    }

    private void Store(PreparedTarget target, int value)
    {
        switch (target.Expression)
        {
            case Expression.Local { Variable: { } variable }:
                if (variable.IsCaptured)
                    _code.Emit(Opcode.SetBox, variable.Register, value);
                else if (variable.Register != value)
                    _code.Emit(Opcode.Move, variable.Register, value);
                break;
            case Expression.Upvalue upvalue:
                _code.Emit(Opcode.SetUpvalue, value, upvalue.Slot);
                break;
            case Expression.Global global:
                _code.Emit(Opcode.SetGlobal, value, 0, _code.Constant(global.Name));
                break;
            case Expression.Index index:
                _expressions.EmitStore(index, target.Table, target.Key, value);
                break;
        }
    }

    private void EmitIf(Statement.If choice)
    {
        var ends = new List<int>();
        for (int i = 0; i < choice.Branches.Count; i++)
        {
            (Expression condition, Statement[] body) = choice.Branches[i];
            var skips = new List<int>();
            _expressions.EmitCondition(condition, jumpWhen: false, skips);
            EmitBlock(body);
            if (i < choice.Branches.Count - 1 || choice.Otherwise is not null)
                _code.EmitJump(Opcode.Jump, 0, 0, ends);
            _code.PatchHere(skips);
        }

        if (choice.Otherwise is not null)
            EmitBlock(choice.Otherwise);
        _code.PatchHere(ends);
    }

    private void EmitWhile(Statement.While loop)
    {
        int start = _code.Position;
        var exits = new List<int>();
        _expressions.EmitCondition(loop.Condition, jumpWhen: false, exits);
        EmitLoopBody(loop.Body, exits);
        _code.Emit(Opcode.JumpBack, 0, 0, start);
        _code.PatchHere(exits);
    }

    private void EmitLoopBody(Statement[] body, List<int> breaks)
    {
        List<int>? outer = _breaks;
        _breaks = breaks;
        EmitBlock(body);
        _breaks = outer;
    }

    private void EmitRepeat(Statement.Repeat loop)
    {
        int free = _code.Free;
        int start = _code.Position;
        var exits = new List<int>();
        List<int>? outer = _breaks;
        _breaks = exits;
        foreach (Statement statement in loop.Body)
            EmitStatement(statement);
        _breaks = outer;
        _expressions.EmitCondition(loop.Condition, jumpWhen: true, exits);
        _code.Emit(Opcode.JumpBack, 0, 0, start);
        _code.PatchHere(exits);
        _code.Release(free);
    }

    private void EmitNumericFor(Statement.NumericFor loop)
    {
        int first = _code.Free;
        _expressions.EmitNext(loop.First);
        _expressions.EmitNext(loop.Limit);
        _expressions.EmitNext(loop.Step ?? new Expression.Number(1) { Line = loop.Line });
        loop.Variable.Register = _code.Reserve();
        _code.Line = loop.Line;
        int prepare = _code.Emit(Opcode.ForPrepare, first);
        int body = _code.Position;
        BoxIfCaptured(loop.Variable);
        var breaks = new List<int>();
        EmitLoopBody(loop.Body, breaks);
        _code.SetTarget(prepare, _code.Position);
        _code.Line = loop.Line;
        _code.Emit(Opcode.ForLoop, first, 0, body);
        _code.PatchHere(breaks);
        _code.Release(first);
    }

    private void EmitGenericFor(Statement.GenericFor loop)
    {
        int first = _code.Free;
        _expressions.EmitList(loop.Values, 3);
        foreach (LocalVariable variable in loop.Variables)
            variable.Register = _code.Reserve();
        var start = new List<int>();
        _code.EmitJump(Opcode.Jump, 0, 0, start);
        int body = _code.Position;
        loop.Variables.ForEach(BoxIfCaptured);
        var breaks = new List<int>();
        EmitLoopBody(loop.Body, breaks);
        _code.PatchHere(start);
        _code.Line = loop.Line;
        _code.Emit(Opcode.ForCall, first, 0, loop.Variables.Count);
        _code.NameVariable(OperandErrors.Iterator, OperandKind.Local, Parser.LoopGenerator);
        _code.Emit(Opcode.ForNext, first, 0, body);
        _code.PatchHere(breaks);
        _code.Release(first);
    }

    private void EmitReturn(Statement.Return result)
    {
        int free = _code.Free;
        Expression[] values = result.Values;
        if (values.Length == 0)
        {
            _code.Emit(Opcode.ReturnNothing, 0);
        }
        else if (values.Length == 1 && values[0] is Expression.Call or Expression.MethodCall)
        {
            int first = _expressions.EmitTailCall(values[0]);
            _code.Emit(Opcode.Return, first);
        }
        else if (values.Length == 1 && !values[0].IsMultiple)
        {
            _code.Emit(Opcode.ReturnOne, _expressions.EmitToAny(values[0]));
        }
        else
        {
            int first = _code.Free;
            bool isOpen = _expressions.EmitOpenList(values);
            _code.Emit(Opcode.Return, first, isOpen ? 0 : values.Length + 1);
        }

        _code.Release(free);
    }

    private readonly record struct PreparedTarget(Expression Expression, Operand Table, Operand Key);
}
